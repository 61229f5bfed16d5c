import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { inboxSubjects, incident } from '../../../tests/support/inbox-subjects.ts'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { firstPage } from '../../contract/portal/paging.ts'
import type { Actor } from '../actor.ts'

let services: TestServices
let team: Parties
const support = agreementSupport(() => services)
const registrations = registrationSupport(() => services)
const { make } = inboxSubjects(
  () => services,
  support,
  () => team,
)

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
  team = await support.makeParties()
})

const doneBy = async (who: () => Actor) =>
  (await services.inbox.doneBy({ ask: firstPage }, who())).rows.map(({ id, outcome }) => [id, outcome])

test('each side has its own signature among what is done, for thirty days', async () => {
  const id = await support.offerBaa(team)
  await support.sign(id, team.owner)
  services.advance(1_000)
  await support.sign(id, team.signatory)

  expect(await doneBy(team.owner.fresh)).toEqual([[id, 'Signed']])
  expect(await doneBy(team.signatory.fresh)).toEqual([[id, 'Signed']])
  expect(await doneBy(team.admin.fresh)).toEqual([])
  expect(
    (await services.inbox.doneBy({ ask: { ...firstPage, q: 'old quay' } }, team.owner.fresh())).total,
  ).toBe(1)
  expect(
    (await services.inbox.doneBy({ ask: { ...firstPage, q: 'elsewhere' } }, team.owner.fresh())).total,
  ).toBe(0)

  services.advance(31 * 86_400_000)
  expect(await doneBy(team.owner.fresh)).toEqual([])
})

test('a reviewer’s decision is done, taking the request up is not', async () => {
  const registrationId = await make('registration', 'submitted')
  const { rae: reviewer } = await registrations.makeReviewTeam()
  const rae = reviewer.fresh
  const reviews = services.registrations.reviews
  await reviews.claim(await registrations.target(registrationId), rae())
  expect(await doneBy(rae)).toEqual([])

  await reviews.proposeRejection(
    {
      ...(await registrations.target(registrationId)),
      codes: ['misleads'],
      text: 'The name is taken for a clinic.',
    },
    rae(),
  )
  expect(await doneBy(rae)).toEqual([[registrationId, 'Proposed a rejection']])
})

test('what is no workflow is done by who did it: a key, an access review, a role, an incident', async () => {
  const ops = (await support.makeStaff('ops')).fresh
  const [key, review, alert, role] = [
    await make('expiring_key', 'sandbox'),
    await make('access_review', 'due'),
    await make('access_alert', 'open'),
    await make('role_request', 'open'),
  ]
  await services.keys.extend({ keyId: key }, team.owner.fresh())
  await services.productionKeys.recertify({ requestId: review }, team.admin.fresh())
  services.advance(1_000)
  const { practiceId } = await services.prisma.accessAlert.findUniqueOrThrow({ where: { id: alert } })
  await services.accessAlerts.acknowledge({ practiceId, alertId: alert }, team.admin.fresh())
  await services.operations.people.rejectRole(
    { id: role, version: 0, reason: 'Asked for by mistake.', fields: {} },
    ops(),
  )
  const { id } = await services.status.openIncident({ ...incident(), id: randomUUID() }, ops())
  services.advance(1_000)
  const end = { id, version: 1, stage: 'resolved', text: 'It is over.' }
  await services.status.updateIncident({ ...incident(), ...end }, ops())

  const mail = await make('failed_email', 'unsent')
  const { id: mailId } = await services.prisma.outboxMail.findFirstOrThrow({ where: { state: 'failed' } })
  const left = { id: mailId, version: 1, reason: 'The address does not exist.', fields: {} }
  await services.operations.perform('leave_mail_unsent', left, ops())

  expect(await doneBy(team.owner.fresh)).toContainEqual([key, 'Extended'])
  expect(await doneBy(team.admin.fresh)).toEqual([
    [alert, 'Checked'],
    [review, 'Confirmed'],
  ])
  expect((await doneBy(ops)).sort()).toEqual(
    [
      [id, 'Reported'],
      [id, 'Resolved'],
      [mail, 'Left unsent'],
      [role, 'Rejected'],
    ].sort(),
  )
})

test('who has left the organization has nothing of it among what is done', async () => {
  const own = await support.makeParties()
  const id = await support.offerBaa(own)
  await support.sign(id, own.owner)
  expect(await doneBy(own.owner.fresh)).toHaveLength(1)

  await services.prisma.membership.deleteMany({ where: { accountId: own.owner.accountId } })
  expect(await doneBy(own.owner.fresh)).toEqual([])
})
