import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { inboxSubjects } from '../../../tests/support/inbox-subjects.ts'
import { tokenMailedTo } from '../../../tests/support/mailed.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

let services: TestServices
let team: Parties
const support = agreementSupport(() => services)
const { make } = inboxSubjects(
  () => services,
  support,
  () => team,
)

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
  team = await support.makeParties()
  await make('production_key_request', 'needs_info')
})

/** Digests at that moment: to whom, and how many to-dos each has. */
async function digestsAt(instant: string) {
  services.advance(Date.parse(instant) - services.clock().getTime())
  await services.prisma.outboxMail.deleteMany()
  await services.inbox.sendDigests(services.clock())
  const mails = await services.prisma.outboxMail.findMany({ where: { template: 'inbox-digest' } })
  return mails.map(({ toAddress, props }) => [toAddress, (props as { total: number }).total])
}

test('one email a day from eight o’clock in the zone of its reader, to those who have something to do', async () => {
  const { owner, admin } = team
  expect(await digestsAt('2026-11-20T17:00:00Z')).toEqual([])
  expect(await digestsAt('2026-11-21T12:59:59Z')).toEqual([])
  expect(await digestsAt('2026-11-21T13:00:00Z')).toEqual([[owner.email, 1]])
  expect(await digestsAt('2026-11-21T13:00:01Z')).toEqual([])

  await services.inbox.saveSettings({ digest: true, timeZone: 'Asia/Tokyo' }, owner.fresh())
  expect(await digestsAt('2026-11-21T23:00:00Z')).toEqual([[owner.email, 1]])
  expect(await digestsAt('2026-11-22T13:00:00Z')).toEqual([])
  await services.inbox.saveSettings({ digest: true, timeZone: 'America/New_York' }, owner.fresh())

  await make('access_review', 'due')
  await services.prisma.outboxMail.deleteMany()
  expect(await digestsAt('2026-11-23T13:30:00Z')).toEqual(
    expect.arrayContaining([
      [owner.email, 1],
      [admin.email, 1],
    ]),
  )
})

test('two workers, or one that started again, send it once', async () => {
  services.advance(Date.parse('2026-11-24T13:00:00Z') - services.clock().getTime())
  await services.prisma.outboxMail.deleteMany()
  const now = services.clock()

  await Promise.all([1, 2, 3].map(() => services.inbox.sendDigests(now)))

  const to = { template: 'inbox-digest', toAddress: team.owner.email }
  expect(await services.prisma.outboxMail.count({ where: to })).toBe(1)
})

test('after an outage of the morning none is sent late', async () => {
  expect(await digestsAt('2026-11-25T17:00:00Z')).toEqual([])
})

test('the link of the email turns it off, once, and the settings turn it on again', async () => {
  const { owner } = team
  expect(await digestsAt('2026-11-26T14:00:00Z')).toContainEqual([owner.email, 1])
  const token = await tokenMailedTo(services, owner.email)

  expect(await services.inbox.findDigestLink(token)).toBe('live')
  expect((await services.inbox.readSettings({}, owner.fresh())).digest).toBe(true)
  expect(await services.inbox.stopDigest(token)).toBe('live')
  expect(await services.inbox.stopDigest(token)).toBe('used')
  expect(await services.inbox.findDigestLink('cut-off')).toBe('unknown')
  expect(await digestsAt('2026-11-27T14:00:00Z')).not.toContainEqual([owner.email, 1])

  await services.inbox.saveSettings({ digest: true, timeZone: 'America/New_York' }, owner.fresh())
  expect(await digestsAt('2026-11-28T14:00:00Z')).toContainEqual([owner.email, 1])
  expect(
    await kindOfProblem(
      services.inbox.saveSettings({ digest: true, timeZone: 'Mars/Phobos' }, owner.fresh()),
    ),
  ).toBe('validation')
})

test('nothing is sent to reviewers and to people who cannot sign in', async () => {
  const { owner } = team
  const reviewer = await support.makeStaff('reviewer')
  await make('registration', 'submitted')
  const colleague = await support.addMember(team.organizationId, 'owner')
  await services.prisma.account.update({
    where: { id: colleague.accountId },
    data: { disabledAt: services.clock() },
  })

  const sent = (await digestsAt('2026-11-29T14:00:00Z')).map(([to]) => to)
  expect(sent).toContain(owner.email)
  expect(sent).not.toContain(reviewer.email)
  expect(sent).not.toContain(colleague.email)
})
