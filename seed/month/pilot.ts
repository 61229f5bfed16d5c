/** An agreement of its own, which no request for a key led to. */
import { baaFields } from '../../server/contract/workflows/agreements.ts'
import type { Days } from './days.ts'
import { organizations, practices } from './people.ts'
import { ownerName, ownerTitle, signAs } from './production-steps.ts'
import type { Scene, Step } from './scene.ts'

/** A pilot of one month that nobody renewed: its BAA expired, and a return of the data is owed. */
export function pilotSteps(days: Days): Step[] {
  const { owner, legalName, address, domain } = organizations.brightmeadow
  const { juniper } = practices
  const sides = [
    ['petra', { legalName: ownerName.brightmeadow, title: ownerTitle }],
    ['nora', { legalName: juniper.signatoryName, title: juniper.signatoryTitle }],
  ] as const
  const find = async ({ prisma, organizationId }: Scene) =>
    prisma.agreement.findFirstOrThrow({
      where: { organizationId: await organizationId('brightmeadow'), requestId: null },
    })
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)
  return [
    {
      at: days.back(36, '10:00'),
      name: 'pilot offered',
      act: async (scene) => {
        const [organizationId, practiceId] = [
          await scene.organizationId('brightmeadow'),
          await scene.practiceId('juniper'),
        ]
        const signatories = [
          { side: 'developer' as const, by: owner, ...sides[0][1] },
          { side: 'practice' as const, by: juniper.signatory, ...sides[1][1] },
        ]
        const named: Parameters<Scene['agreements']['offer']>[1]['signatories'][number][] = []
        for (const { by, ...signatory } of signatories)
          named.push({ ...signatory, accountId: (await scene.actor(by)).accountId })
        await scene.prisma.$transaction((tx) =>
          scene.agreements.offer(tx, {
            kind: 'baa',
            organizationId,
            practiceId,
            requestId: null,
            level: 'read_only',
            dataClasses: ['visits'],
            purposes: ['operations'],
            signatories: named,
            fields: baaFields.parse({
              developerLegalName: legalName,
              developerAddress: address,
              developerContactName: ownerName.brightmeadow,
              developerContactEmail: `legal@${domain}`,
              practiceLegalName: juniper.legalName,
              practiceAddress: juniper.address,
              practiceContactName: juniper.signatoryName,
              practiceContactEmail: juniper.contactEmail,
              services: 'A pilot of one month: reminds families of the next visit.',
              effectiveOn: dayOf(days.back(36, '10:00')),
              expiresOn: dayOf(days.back(5, '10:00')),
            }),
            by: null,
            now: scene.clock(),
          }),
        )
      },
    },
    ...sides.map(([by, signer], index) => ({
      at: days.back(35 - index, '11:00'),
      name: `pilot signed ${index}`,
      act: async (scene: Scene) => {
        await signAs(scene, (await find(scene)).id, by, signer)
      },
    })),
  ]
}
