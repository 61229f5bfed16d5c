/** Nobody reads or changes what belongs to another practice, nor what their role in their own does not cover. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Actor } from '../../server/domain/actor.ts'
import { tokenMailedTo } from '../support/mailed.ts'
import { party, productionKeySupport, reasonWords } from '../support/production-keys.ts'
import { registrationServices } from '../support/registrations.ts'
import { kindOfProblem } from '../support/visitor.ts'

const support = productionKeySupport(() => services)

const services = await registrationServices({ template: 'schema' })
const scene = await support.working()
const invited = await support.submitted({ name: 'Second import' }, scene)

/** Everything that somebody of a practice can ask for, about the practice of the scene. */
function everything(actor: Actor): Readonly<Record<string, () => Promise<unknown>>> {
  const { productionKeys, practiceConsole, practiceAudit, practiceStaff } = services
  const { practiceId, signatory } = scene.office
  const with_ = async (requestId: string) => ({ ...(await support.target(requestId)), reason: reasonWords })
  const role = { practiceId, accountId: signatory.accountId, role: 'admin' as const }
  return {
    'the packet of a request': () => productionKeys.get(invited.requestId, actor),
    'the page of a key': () => productionKeys.get(scene.requestId, actor),
    confirming: async () =>
      productionKeys.sponsors.confirm(
        {
          ...(await support.target(invited.requestId)),
          ...party,
          signatoryId: signatory.accountId,
          signatoryName: 'x',
          signatoryTitle: 'x',
        },
        actor,
      ),
    declining: async () => productionKeys.sponsors.decline(await with_(invited.requestId), actor),
    'saying that it is not us': async () =>
      productionKeys.sponsors.notUs(await with_(invited.requestId), actor),
    'ending the sponsorship': async () =>
      productionKeys.sponsors.endSponsorship(await with_(scene.requestId), actor),
    'taking the sponsorship over': async () =>
      productionKeys.sponsors.takeOver(await support.target(scene.requestId), actor),
    suspending: async () => productionKeys.suspend(await with_(scene.requestId), actor),
    revoking: async () => productionKeys.revoke(await with_(scene.requestId), actor),
    'confirming for a year': async () =>
      productionKeys.recertify(await support.target(scene.requestId), actor),
    'the console': () => practiceConsole.read(practiceId, actor),
    'the console as a file': () => practiceConsole.file(practiceId, actor).next(),
    'its requests': () => practiceConsole.requests(practiceId, actor),
    'the record of access': () => practiceAudit.access(practiceId, { limit: 10 }, actor),
    'the file of it': () => practiceAudit.file(practiceId, { limit: 10 }, actor).next(),
    'the changes': () => practiceAudit.changes(practiceId, { limit: 10 }, actor),
    'the staff': () => practiceStaff.list(practiceId, actor),
    inviting: () =>
      practiceStaff.invite({ practiceId, email: `${randomUUID()}@x.example`, role: 'admin' }, actor),
    'giving a role': () => practiceStaff.give(role, actor),
    'taking a role': () => practiceStaff.take({ ...role, role: 'signatory' }, actor),
    'withdrawing an invitation': () =>
      practiceStaff.cancel({ practiceId, invitationId: randomUUID() }, actor),
    'the withheld patients': () => services.withheldPatients.list(practiceId, actor),
    'finding a patient to withhold': () =>
      services.withheldPatients.find({ practiceId, text: 'testwell' }, actor),
    'withholding a patient': () =>
      services.withheldPatients.withhold(
        { practiceId, patientId: 'pt-wren-testwell', reason: reasonWords },
        actor,
      ),
    'ending it': () => services.withheldPatients.release({ practiceId, withheldId: randomUUID() }, actor),
    'the FHIR policy': () => services.fhirPolicy.get(practiceId, actor),
  }
}

const lookAtIt = async () =>
  JSON.stringify([
    await services.prisma.productionKeyRequest.findMany({ orderBy: { id: 'asc' } }),
    await services.prisma.practiceMembership.findMany({ orderBy: { accountId: 'asc' } }),
    await services.prisma.practiceInvitation.count(),
    await services.prisma.outboxMail.count(),
  ])

test('an admin of another practice, an outsider and a developer of another organization find nothing there', async () => {
  const other = await support.office()
  const outsider = await support.person('practice', 'Otto Elsewhere')
  const { owner } = await support.team()
  const before = await lookAtIt()

  for (const [who, person] of Object.entries({ admin: other.admin, outsider, owner }))
    for (const [what, asks] of Object.entries(everything(person.fresh())))
      expect(await kindOfProblem(asks()), `${who}: ${what}`).toBe('not_found')

  expect(await lookAtIt()).toBe(before)
})

test('a clinician of the practice changes nothing, a signatory neither vouches nor stops a key', async () => {
  const clinician = await support.practicePerson(scene.office.practiceId, 'clinician', 'Cleo Placeholder')
  const before = await lookAtIt()
  const reads: readonly string[] = ['the FHIR policy']
  const signatory: readonly string[] = [
    ...reads,
    'the packet of a request',
    'the page of a key',
    'the console',
    'the console as a file',
    'its requests',
    'saying that it is not us',
  ]

  for (const [who, person, may] of [
    ['clinician', clinician, reads],
    ['signatory', scene.office.signatory, signatory],
  ] as const)
    for (const [what, asks] of Object.entries(everything(person.fresh())))
      if (!may.includes(what))
        expect(['forbidden', 'conflict', 'not_found'], `${who}: ${what}`).toContain(
          await kindOfProblem(asks()),
        )

  expect(await lookAtIt()).toBe(before)
})

test('an invitation is used once, by whoever reads its mail; with an account it is that account’s', async () => {
  const { practiceStaff } = services
  const { office } = scene
  const email = `${randomUUID()}@practice.example`
  await practiceStaff.invite(
    { practiceId: office.practiceId, email, role: 'signatory' },
    office.admin.fresh(),
  )
  const stale = { ...office.admin.fresh(), authenticatedAt: new Date(0) }
  const other = { practiceId: office.practiceId, email: 'second@practice.example', role: 'admin' as const }
  expect(await kindOfProblem(practiceStaff.invite(other, stale))).toBe('forbidden')

  const token = await tokenMailedTo(services, email)
  expect(await practiceStaff.findInvitation(token)).toMatchObject({ kind: 'new', role: 'signatory' })
  const context = { ip: '203.0.113.7', userAgent: 'vitest', correlationId: randomUUID() }
  const form = { token, name: 'Nia Placeholder', password: 'teal heron over marsh' }
  const answers = await Promise.all(
    [1, 2].map(() => practiceStaff.acceptAsNew(form, context).catch(() => ({ kind: 'refused' }))),
  )

  expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1)
  expect(await practiceStaff.findInvitation(token)).toMatchObject({ kind: 'used' })
  const rows = await services.prisma.practiceMembership.findMany({
    where: { practiceId: office.practiceId, account: { email } },
  })
  expect(rows.map(({ role }) => role)).toEqual(['signatory'])
})
