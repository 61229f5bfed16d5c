import { expect, test } from 'vitest'
import { addAccount } from '../../../tests/support/people.ts'
import { productionKeySupport, reasonWords } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { firstPage } from '../../contract/portal/paging.ts'

const support = productionKeySupport(() => services)
const keys = () => services.productionKeys
const dayMs = 86_400_000

type Working = Awaited<ReturnType<typeof support.working>>

const services = await registrationServices({ template: 'schema' })

/** Whether a request with the key would be served at this moment, by the statement that serves it. */
async function works({ requestId, office }: Pick<Working, 'requestId' | 'office'>): Promise<boolean> {
  const rows = await services.prisma.apiKey.findMany({ where: { productionRequestId: requestId } })
  const alive = await Promise.all(
    rows.map((row) =>
      services.store.isAlive(1, {
        kind: 'api_key',
        keyId: row.id,
        keyVersion: row.version,
        practiceId: office.practiceId,
        datasetId: 1,
        now: services.clock(),
      }),
    ),
  )
  return alive.some(Boolean)
}

const suspendedMails = async ({ owner, office }: Working, name = 'production-suspended') =>
  (await Promise.all([owner, office.admin].map(({ email }) => support.mailed(email)))).map(
    (mails) => mails.filter((mail) => mail === name).length,
  )

async function endBaa(scene: Working): Promise<void> {
  const { baaId } = await support.rowOf(scene.requestId)
  const { version } = await services.prisma.agreement.findUniqueOrThrow({ where: { id: baaId ?? '' } })
  await services.agreements.terminate(
    { agreementId: baaId ?? '', version, comment: reasonWords, effectiveOn: null },
    scene.office.signatory.fresh(),
  )
}

test('a key stops in the transaction that ends its BAA, both sides are told, and a tick changes nothing more', async () => {
  const scene = await support.working()
  expect(await works(scene)).toBe(true)

  await endBaa(scene)

  expect(await works(scene)).toBe(false)
  expect(await support.stateOf(scene.requestId)).toBe('suspended')
  expect(await suspendedMails(scene)).toEqual([1, 1])
  await keys().tick(services.clock())
  expect(await suspendedMails(scene)).toEqual([1, 1])
  const target = await support.target(scene.requestId)
  const reinstate = keys().reinstate({ ...target, reason: reasonWords }, scene.office.admin.fresh())
  await expect(reinstate).rejects.toThrow(/another reason: The BAA is not in force/)
}, 120_000)

test('agreements that run out stop a key on the next statement, before any tick has come', async () => {
  const scene = await support.working()
  const soon = new Date(services.clock().getTime() + 60_000)
  await services.prisma.agreement.updateMany({
    where: { id: (await support.rowOf(scene.requestId)).baaId ?? '' },
    data: { endsAt: soon },
  })
  await services.prisma.apiKey.updateMany({
    where: { productionRequestId: scene.requestId },
    data: { agreementsValidUntil: soon },
  })
  expect(await works(scene)).toBe(true)

  services.advance(61_000)

  expect(await works(scene)).toBe(false)
  expect(await support.stateOf(scene.requestId)).toBe('active')
  await keys().tick(services.clock())
  expect(await support.stateOf(scene.requestId)).toBe('suspended')
})

test('a sponsor ends it, another admin takes over, and it works again; unsponsored for seven days it is revoked', async () => {
  const scene = await support.working()
  const { requestId, office } = scene
  const second = await support.practicePerson(office.practiceId, 'admin', 'Ada Placeholder')
  await keys().sponsors.endSponsorship(
    { ...(await support.target(requestId)), reason: reasonWords },
    office.admin.fresh(),
  )
  expect(await works(scene)).toBe(false)
  await keys().sponsors.takeOver(await support.target(requestId), second.fresh())
  expect(await works(scene)).toBe(true)
  expect(await suspendedMails(scene, 'production-reinstated')).toEqual([1, 1])

  await keys().sponsors.endSponsorship(
    { ...(await support.target(requestId)), reason: reasonWords },
    second.fresh(),
  )
  await keys().tick(new Date(services.clock().getTime() + 6.9 * dayMs))
  expect(await support.stateOf(requestId)).toBe('suspended')
  await keys().tick(new Date(services.clock().getTime() + 7 * dayMs))
  expect(await support.stateOf(requestId)).toBe('revoked')
  const tasks = await services.prisma.agreementReturnTask.count()
  expect(tasks).toBeGreaterThan(0)
})

test('whoever vouched is made no admin: the key stops with it; the last admin stays; a suspended practice stops all', async () => {
  const scene = await support.working()
  const { office } = scene
  const { practiceStaff } = services
  const own = { practiceId: office.practiceId, accountId: office.admin.accountId, role: 'admin' as const }
  expect(await kindOfProblem(practiceStaff.take(own, office.admin.fresh()))).toBe('conflict')
  const second = await support.practicePerson(office.practiceId, 'admin', 'Ada Placeholder')
  const both = await Promise.all([
    kindOfProblem(practiceStaff.take(own, second.fresh())),
    kindOfProblem(practiceStaff.take({ ...own, accountId: second.accountId }, office.admin.fresh())),
  ])
  expect(both.filter((kind) => kind === 'none')).toHaveLength(1)
  const left = both[0] === 'none' ? second : office.admin
  if (both[0] === 'none') {
    expect(await works(scene)).toBe(false)
    await keys().sponsors.takeOver(await support.target(scene.requestId), left.fresh())
  }
  expect(await works(scene)).toBe(true)

  const practice = { where: { id: office.practiceId } }
  await services.prisma.practice.update({ ...practice, data: { state: 'suspended' } })
  expect(await works(scene)).toBe(false)
  await keys().tick(services.clock())
  expect(await support.stateOf(scene.requestId)).toBe('suspended')
  await services.prisma.practice.update({ ...practice, data: { state: 'active' } })
  await keys().tick(services.clock())
  expect(await works(scene)).toBe(true)
})

test('who suspended lets it work again, or operations; one side’s word does not undo the other’s', async () => {
  const scene = await support.working()
  const { requestId, office, owner } = scene
  const ops = await support.makeStaff('ops')
  const with_ = async () => ({ ...(await support.target(requestId)), reason: reasonWords })
  await keys().suspend(await with_(), office.admin.fresh())
  expect(await works(scene)).toBe(false)
  expect(await kindOfProblem(keys().reinstate(await with_(), owner.fresh()))).toBe('conflict')
  const mine = { organizationId: scene.organizationId, accountId: owner.accountId }
  const listed = await services.keys.listPage({ ...mine, show: 'production', ask: firstPage })
  const todos = await services.inbox.list({ ask: firstPage }, owner.fresh())
  expect(listed).toMatchObject({
    counts: { current: 1, production: 1, ended: 0 },
    rows: [
      {
        suspensions: [
          {
            ...{ title: 'Stopped by the practice', by: office.admin.name, reason: reasonWords },
            next: 'Talk to the practice. One of its admins can resume the key.',
          },
        ],
      },
    ],
  })
  expect(todos.rows).toMatchObject([{ kind: 'suspended_key', id: requestId, action: 'See why' }])
  await keys().suspend(await with_(), ops.fresh())
  await keys().reinstate(await with_(), office.admin.fresh())
  expect(await support.stateOf(requestId)).toBe('suspended')
  expect(await kindOfProblem(keys().reinstate(await with_(), office.admin.fresh()))).toBe('conflict')
  await keys().reinstate(await with_(), ops.fresh())
  expect(await works(scene)).toBe(true)

  await keys().revoke(await with_(), office.admin.fresh())
  expect(await works(scene)).toBe(false)
  expect(await support.stateOf(requestId)).toBe('revoked')
  expect(await suspendedMails(scene, 'production-revoked')).toEqual([1, 1])
})

test('a rotation keeps the day of the end, at most two keys work, and only the requester rotates', async () => {
  const scene = await support.working()
  const { requestId, organizationId, owner } = scene
  const [first] = await services.prisma.apiKey.findMany({ where: { productionRequestId: requestId } })
  const other = await support.addMember(organizationId, 'owner', 'Olga Placeholder')
  const rotate = (keyId: string, by = owner) => services.keys.rotate({ keyId, graceHours: 24 }, by.fresh())
  expect(await kindOfProblem(rotate(first?.id ?? '', other))).toBe('forbidden')
  services.advance(10 * dayMs)
  const rotated = await rotate(first?.id ?? '')
  if (rotated.kind !== 'revealed') throw new Error(rotated.kind)
  expect(rotated.expiresAt).toEqual(scene.expiresAt)
  expect(await support.stateOf(requestId)).toBe('rotating')
  const live = await services.prisma.apiKey.findMany({
    where: { productionRequestId: requestId, rotatedAt: null },
  })
  expect(await kindOfProblem(rotate(live[0]?.id ?? ''))).toBe('conflict')
  expect(await kindOfProblem(services.keys.revoke({ keyId: live[0]?.id ?? '' }, owner.fresh()))).toBe(
    'conflict',
  )

  services.advance(25 * 3_600_000)
  await keys().tick(services.clock())
  expect(await support.stateOf(requestId)).toBe('active')
  expect(await works(scene)).toBe(true)
})

test('a key is renewed with one click of the practice, near its end and not before, under the same agreements', async () => {
  const scene = await support.working()
  const { requestId, owner, office } = scene
  expect(await kindOfProblem(keys().renew(await support.target(requestId), owner.fresh()))).toBe('conflict')
  services.advance(65 * dayMs)
  const asked = await Promise.all(
    [1, 2].map(() =>
      keys()
        .renew({ requestId }, owner.fresh())
        .catch(() => null),
    ),
  )
  const [renewal] = asked.filter((each) => each !== null)
  expect(asked.filter((each) => each !== null)).toHaveLength(1)
  const id = renewal?.requestId ?? ''
  expect(await support.mailed(office.admin.email)).toContain('production-renewal-asked')

  await keys().sponsors.reconfirm(await support.target(id), office.admin.fresh())
  const revealed = await keys().reveal({ requestId: id }, owner.fresh())

  expect(revealed.kind).toBe('revealed')
  expect(await works({ requestId: id, office })).toBe(true)
  expect(await works(scene)).toBe(true)
  services.advance(26 * dayMs)
  await keys().tick(services.clock())
  expect(await support.stateOf(requestId)).toBe('expired')
  expect(await works({ requestId: id, office })).toBe(true)
})

test('a practice that operations suspend takes its production keys along, both sides are told, and back they come', async () => {
  const scene = await support.working()
  const { id: accountId } = await addAccount(services, 'staff', { staffRole: 'ops' })
  const operator = { ...scene.owner.fresh(), accountId }
  const given = { id: scene.office.practiceId, reason: reasonWords }

  await services.operations.perform('suspend_practice', { ...given, version: 0 }, operator)

  expect(await works(scene)).toBe(false)
  expect(await support.stateOf(scene.requestId)).toBe('suspended')
  expect(await suspendedMails(scene)).toEqual([1, 1])
  const back = { ...operator, ...scene.owner.fresh(), accountId }
  await services.operations.perform('resume_practice', { ...given, version: 1 }, back)
  expect(await support.stateOf(scene.requestId)).toBe('active')
  expect(await works(scene)).toBe(true)
  expect(await suspendedMails(scene, 'production-reinstated')).toEqual([1, 1])

  // One key of it, by the console: the same steps as on its own page.
  const [key] = await services.prisma.apiKey.findMany({ where: { productionRequestId: scene.requestId } })
  const look = { id: key?.id ?? '', version: key?.version ?? 0, reason: reasonWords }
  await services.operations.perform('suspend_key', look, back)
  expect(await support.stateOf(scene.requestId)).toBe('suspended')
  expect(await works(scene)).toBe(false)
  await services.operations.perform('resume_key', look, back)
  expect(await works(scene)).toBe(true)
}, 120_000)

test('what was sent about each request is what the table lists for its events', async () => {
  for (const { listed, sent } of await support.listedAndSent()) expect(sent).toEqual(listed)
})
