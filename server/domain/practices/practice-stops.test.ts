/** Who stops access to a practice, what a stop covers, and what it leaves alone. */
import { expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = productionKeySupport(() => services)
type Office = Awaited<ReturnType<typeof support.office>>
type Scene = Awaited<ReturnType<typeof support.working>>
type Target = Parameters<TestServices['practiceStops']['stop']>[0]['target']

const reason = 'More requests at night than we agreed on.'

const services = await registrationServices({ template: 'schema' })

const stop = ({ practiceId, admin }: Office, target: Target, by = admin) =>
  services.practiceStops.stop({ practiceId, target, reason }, by.fresh())
const resume = ({ practiceId, admin }: Office, stopId: string, by = admin) =>
  services.practiceStops.resume({ practiceId, stopId }, by.fresh())
const everything = ({ name }: Office): Target => ({ scope: 'everything', confirmName: name })

async function isGood(keyId: string): Promise<boolean> {
  const { rows } = await services.pool.query(
    'SELECT 1 FROM clinical.live WHERE credential = $1 AND good_until > $2',
    [keyId, services.clock()],
  )
  return rows.length === 1
}

async function addKey(
  { practiceId, admin }: Office,
  organizationId: string | null = null,
  createdBy = admin,
): Promise<string> {
  const now = services.clock()
  const { id } = await services.prisma.apiKey.create({
    data: {
      name: 'Night count',
      prefix: `svc_l${crypto.randomUUID().slice(0, 7)}`,
      secretHash: crypto.getRandomValues(new Uint8Array(32)),
      level: 'read_only',
      environment: 'production',
      practiceId,
      organizationId,
      createdById: createdBy.accountId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
    },
  })
  return id
}

const requestKey = async ({ requestId }: Scene) =>
  (await services.prisma.apiKey.findFirstOrThrow({ where: { productionRequestId: requestId } })).id

test('only an admin with fresh proof stops and resumes; a stranger learns nothing', async () => {
  const office = await support.office()
  const clinician = await support.practicePerson(office.practiceId, 'clinician', 'Cleo Placeholder')
  const stranger = await support.person('practice', 'Otto Elsewhere')
  const keyId = await addKey(office)
  const target: Target = { scope: 'key', id: keyId }
  const kinds = (stopId: string) =>
    Promise.all(
      [clinician, office.signatory, stranger].flatMap((who) => [
        kindOfProblem(stop(office, target, who)),
        kindOfProblem(resume(office, stopId, who)),
      ]),
    )
  const forbidden = ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'not_found', 'not_found']
  const stale = {
    ...office.admin,
    fresh: () => ({
      ...office.admin.fresh(),
      authenticatedAt: new Date(services.clock().getTime() - 3_600_000),
    }),
  }

  await expect(stop(office, target, stale)).rejects.toMatchObject({ field: 'stepUp' })
  const stopId = await stop(office, target)

  expect(await kinds(stopId)).toEqual(forbidden)
  await expect(resume(office, stopId, stale)).rejects.toMatchObject({ field: 'stepUp' })
  expect(await isGood(keyId)).toBe(false)
  expect((await services.practiceStops.list(office.practiceId, office.signatory)).stops).toMatchObject([
    { id: stopId, scope: 'key', targetId: keyId, name: 'Night count', reason, startedBy: office.admin.name },
  ])
  expect(await kindOfProblem(services.practiceStops.list(office.practiceId, clinician))).toBe('forbidden')
})

test('all access takes the practice’s name and a reason of at least 10 characters', async () => {
  const office = await support.office()
  const { practiceId, admin } = office

  await expect(stop(office, { scope: 'everything', confirmName: 'Another Practice' })).rejects.toMatchObject({
    kind: 'validation',
    field: 'confirmName',
  })
  await expect(
    services.practiceStops.stop({ practiceId, target: everything(office), reason: 'Because' }, admin.fresh()),
  ).rejects.toMatchObject({ kind: 'validation', field: 'reason' })
  expect(await services.prisma.practiceStop.count({ where: { practiceId } })).toBe(0)
})

test('two people who stop or resume the same at once: one does, the other gets a conflict', async () => {
  const office = await support.office()
  const outcomes = async (made: Promise<unknown>[]) => (await Promise.all(made.map(kindOfProblem))).sort()
  const target = everything(office)

  const stopped = await outcomes([stop(office, target), stop(office, target)])
  const [open] = (await services.practiceStops.list(office.practiceId, office.admin)).stops
  const resumed = await outcomes([resume(office, open?.id ?? ''), resume(office, open?.id ?? '')])

  expect([stopped, resumed]).toEqual([
    ['conflict', 'none'],
    ['conflict', 'none'],
  ])
})

test('a stop ends at its own practice; what others hold is untouched and unknown', async () => {
  const [office, elsewhere] = [await support.office(), await support.office()]
  const [own, foreign] = [await addKey(office), await addKey(elsewhere)]

  expect(await kindOfProblem(stop(office, { scope: 'key', id: foreign }))).toBe('not_found')
  for (const scope of ['key', 'app', 'organization'] as const)
    for (const id of ['none', crypto.randomUUID(), 'a\0b'])
      expect(await kindOfProblem(stop(office, { scope, id })), `${scope} ${id}`).toBe('not_found')
  const stopId = await stop(office, everything(office))

  expect([await isGood(own), await isGood(foreign)]).toEqual([false, true])
  expect(await kindOfProblem(resume(elsewhere, stopId))).toBe('not_found')
})

test('an organization is stopped with its later keys; what was revoked or stopped otherwise stays so', async () => {
  const scene = await support.working()
  const { office, organizationId } = scene
  const keyId = await requestKey(scene)
  const other = await addKey(office)

  const stopId = await stop(office, { scope: 'organization', id: organizationId })
  const later = await addKey(office, organizationId)
  const revoked = await addKey(office, organizationId)
  const within = await stop(office, { scope: 'key', id: later })

  expect([await isGood(keyId), await isGood(later), await isGood(other)]).toEqual([false, false, true])
  expect(await support.stateOf(scene.requestId)).toBe('active')

  await services.prisma.apiKey.update({ where: { id: revoked }, data: { revokedAt: services.clock() } })
  await resume(office, stopId)

  expect([await isGood(keyId), await isGood(later), await isGood(revoked)]).toEqual([true, false, false])
  await resume(office, within)
  expect(await isGood(later)).toBe(true)
})

test('owners and admins get one email each with the reason, and the practice’s audit has both steps', async () => {
  const scene = await support.working()
  const { office, owner } = scene
  const admin = await support.addMember(scene.organizationId, 'admin', 'Avery Sample')
  const developer = await support.addMember(scene.organizationId, 'developer', 'Sol Sample')
  const emailsTo = async ({ email }: { email: string }) =>
    (await support.mailed(email)).filter((template) => template === 'practice-access').length

  const stopId = await stop(office, everything(office))
  expect([await emailsTo(owner), await emailsTo(admin), await emailsTo(developer)]).toEqual([1, 1, 0])
  await resume(office, stopId)
  expect([await emailsTo(owner), await emailsTo(admin), await emailsTo(developer)]).toEqual([2, 2, 0])

  const audit = await services.prisma.auditEvent.findMany({
    where: { practiceId: office.practiceId, subjectId: stopId },
    orderBy: { id: 'asc' },
  })
  expect(audit.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['practice.access_stopped', office.admin.accountId],
    ['practice.access_resumed', office.admin.accountId],
  ])
  expect(audit[0]?.detail).toMatchObject({ scope: 'everything', name: office.name, reason })
})

test('a stopped key is not rotated into one that works', async () => {
  const scene = await support.working()
  const { office, organizationId, owner } = scene
  const keyId = await addKey(office, organizationId, owner)
  const stopId = await stop(office, { scope: 'key', id: keyId })
  const rotate = () => services.keys.rotate({ keyId, graceHours: 24 }, owner.fresh())

  await expect(rotate()).rejects.toMatchObject({ kind: 'conflict' })
  expect(await services.prisma.apiKey.count({ where: { replacesId: keyId } })).toBe(0)
  await resume(office, stopId)
  expect(await rotate()).toMatchObject({ kind: 'revealed' })
})
