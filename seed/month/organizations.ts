/** What each organization says about itself. */
import type { securityQuestionIds } from '../../server/contract/workflows/security-questions.ts'
import type { Days } from './days.ts'
import { type OrganizationId, organizations } from './people.ts'
import { ownerName } from './production-steps.ts'
import type { Scene, Step } from './scene.ts'

/** A confirmed domain and the security profile, without which nobody asks for a production key. */
export function organizationSteps(days: Days): Step[] {
  return (Object.keys(organizations) as OrganizationId[]).flatMap((id) => {
    const { domain, owner, legalName, address } = organizations[id]
    const at = days.back(47, '10:00')
    return [
      {
        at,
        name: `${id} domain`,
        act: async (scene: Scene) => {
          const organizationId = await scene.organizationId(id)
          const mailbox = `security@${domain}`
          await scene.organizationDomains.request({ organizationId, mailbox }, await scene.actor(owner))
          const actor = await scene.actor(owner)
          await scene.organizationDomains.confirm(await scene.tokenMailedTo(mailbox), actor)
        },
      },
      {
        at,
        name: `${id} profile`,
        act: async (scene: Scene) => {
          const party = { legalName, address, contactName: ownerName[id], contactEmail: `legal@${domain}` }
          const answers = { ...party, ...securityAnswers }
          await scene.productionKeys.profiles.save(
            { organizationId: await scene.organizationId(id), version: 0, answers: answers as never },
            await scene.actor(owner),
          )
        },
      },
    ]
  })
}

const securityAnswers: Readonly<Record<(typeof securityQuestionIds)[number], string>> = {
  hosting: 'A cloud region in Ohio. Nothing leaves the United States.',
  encryption: 'Disks, backups and laptops are encrypted. Every connection uses TLS 1.3.',
  access: 'Four engineers with a second factor. Access ends on the day that somebody leaves.',
  keys: 'In the secrets manager of the cloud provider, read by the server alone.',
  logging: 'Each access to a patient is logged. The security lead reads the report every week.',
  incidents: 'The practice hears from our security lead within 24 hours, by phone and email.',
  deletion: 'Within 30 days of the end, backups included. We confirm it in writing.',
  subcontractors: 'Nobody besides the cloud provider, which has signed a BAA with us.',
}
