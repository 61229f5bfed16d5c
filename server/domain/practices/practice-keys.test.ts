/** Who changes what a key can read or caps it, within what, and who gets an email. */
import { expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { keyAccessForms } from '../../contract/forms/key-access.ts'
import { readCapDay, takeCall } from './key-caps.ts'

const support = productionKeySupport(() => services)
type Scene = Awaited<ReturnType<typeof support.working>>
type Input = Parameters<TestServices['keyCaps']['set']>[0]

const reason = 'The intake form needs names and allergies only.'
const agreed = {
  dataClasses: ['demographics', 'identifiers', 'allergies'] as const,
  purposes: ['operations', 'treatment'] as const,
}

const services = await registrationServices({ template: 'schema' })

const keyOf = async ({ requestId }: Scene) =>
  services.prisma.apiKey.findFirstOrThrow({
    where: { productionRequestId: requestId },
    include: { cap: true },
    orderBy: { createdAt: 'desc' },
  })

const working = () =>
  support.working({ dataClasses: [...agreed.dataClasses], purposes: [...agreed.purposes] })

const narrow = async (
  scene: Scene,
  changes: Partial<Parameters<TestServices['keyAccess']['narrow']>[0]> = {},
  by = scene.office.admin,
) => {
  const { id: keyId, version } = await keyOf(scene)
  const input = { dataClasses: ['allergies'], purposes: ['treatment'], reason, keyId, version, ...changes }
  return services.keyAccess.narrow({ practiceId: scene.office.practiceId, ...input }, by.fresh())
}

const mailsTo = (toAddress: string, template = 'key-access') =>
  services.prisma.outboxMail.count({ where: { toAddress, template } })

test('a key has what its agreement names, and the practice takes away and gives back no more than that', async () => {
  const scene = await working()
  expect(await keyOf(scene)).toMatchObject({ ...agreed, narrowedFrom: expect.any(Date), version: 0 })

  await narrow(scene)
  expect(await keyOf(scene)).toMatchObject({
    dataClasses: ['allergies'],
    purposes: ['treatment'],
    version: 1,
  })
  await narrow(scene, { ...agreed })
  expect(await keyOf(scene)).toMatchObject({ ...agreed, version: 2 })

  expect(await kindOfProblem(narrow(scene, { dataClasses: ['allergies', 'notes'] }))).toBe('validation')
  expect(await kindOfProblem(narrow(scene, { purposes: ['payment'] }))).toBe('validation')
  expect(await kindOfProblem(narrow(scene, { ...agreed }))).toBe('conflict')
  expect(await kindOfProblem(narrow(scene, { reason: 'short' }))).toBe('validation')
  expect(await mailsTo(scene.office.admin.email)).toBe(2)
  expect(await mailsTo(scene.owner.email)).toBe(2)
  const { history } = await services.keyAccess.read(
    { practiceId: scene.office.practiceId, keyId: (await keyOf(scene)).id },
    scene.office.admin.fresh(),
  )
  expect(history.map(({ access, reason: said }) => [access.classes.length, said])).toEqual([
    [3, reason],
    [1, reason],
  ])
})

test('only an admin with fresh proof changes it; another practice’s key is not there', async () => {
  const scene = await working()
  const other = await support.office()
  const stranger = await support.person('practice', 'Otto Elsewhere')
  const { signatory, practiceId } = scene.office
  expect(await kindOfProblem(narrow(scene, {}, signatory))).toBe('forbidden')
  expect(await kindOfProblem(narrow(scene, {}, stranger))).toBe('not_found')
  expect(await kindOfProblem(narrow(scene, { practiceId: other.practiceId }, other.admin))).toBe('not_found')
  expect(await kindOfProblem(narrow(scene, { keyId: 'no key' }))).toBe('not_found')
  const actor = scene.office.admin.fresh()
  const stale = { ...actor, authenticatedAt: new Date(services.clock().getTime() - 3_600_000) }
  const { id: keyId, version } = await keyOf(scene)
  const input = { practiceId, keyId, version, dataClasses: ['allergies'], purposes: ['treatment'], reason }
  expect(await kindOfProblem(services.keyAccess.narrow(input, stale))).toBe('forbidden')
  expect(await keyOf(scene)).toMatchObject(agreed)
})

test('of two changes at once one is made; a rotated key keeps it, and so does the one in its grace', async () => {
  const scene = await working()
  const outcomes = await Promise.allSettled([
    narrow(scene, { dataClasses: ['allergies'] }),
    narrow(scene, { dataClasses: ['demographics'] }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { id: keyId } = await keyOf(scene)
  services.advance(1_000)
  await services.keys.rotate({ keyId, graceHours: 24 }, scene.owner.fresh())
  await narrow(scene, { dataClasses: ['identifiers'] })
  const keys = await services.prisma.apiKey.findMany({ where: { productionRequestId: scene.requestId } })
  expect(keys.map(({ dataClasses }) => dataClasses)).toEqual([['identifiers'], ['identifiers']])
})

// How much a key may do a day, and at which hours.

const none = { callsPerDay: null, patientsPerDay: null, hoursFrom: null, hoursUntil: null }

const set = async (scene: Scene, changes: Partial<Input> = {}, by = scene.office.admin) => {
  const { id: keyId, version } = await keyOf(scene)
  const { practiceId } = scene.office
  const input = { ...none, callsPerDay: 100, timeZone: 'America/Denver', reason, keyId, version, practiceId }
  return services.keyCaps.set({ ...input, ...changes }, by.fresh())
}

test('an admin sets, changes and removes caps; both sides get an email each time, and the page shows it', async () => {
  const scene = await support.working()
  await set(scene)
  await set(scene, { callsPerDay: 50, patientsPerDay: 5, hoursFrom: 480, hoursUntil: 60 })
  expect((await keyOf(scene)).cap).toMatchObject({
    ...{ callsPerDay: 50, patientsPerDay: 5, hoursFrom: 480, hoursUntil: 60, zone: 'America/Denver' },
  })
  const { id: keyId } = await keyOf(scene)
  const limits = await services.keyLimits.forOwner({ keyId, accountId: scene.owner.fresh().accountId })
  expect(limits.caps).toMatchObject({ callsPerDay: 50, hours: { from: 480, until: 60 } })
  expect(
    await kindOfProblem(set(scene, { callsPerDay: 50, patientsPerDay: 5, hoursFrom: 480, hoursUntil: 60 })),
  ).toBe('conflict')
  await set(scene, none)
  const page = await services.keyCaps.read(
    { practiceId: scene.office.practiceId, keyId },
    scene.office.admin.fresh(),
  )
  expect(page.caps).toBeNull()
  expect(page.history.map(({ caps, reason: said }) => [caps.length, said])).toEqual([
    [0, reason],
    [3, reason],
    [1, reason],
  ])
  expect(await mailsTo(scene.owner.email, 'key-caps')).toBe(3)
  expect(await mailsTo(scene.office.admin.email, 'key-caps')).toBe(3)
})

test('only an admin with fresh proof does it; another practice’s key is not there', async () => {
  const scene = await support.working()
  const other = await support.office()
  const { signatory, practiceId } = scene.office
  expect(await kindOfProblem(set(scene, {}, signatory))).toBe('forbidden')
  expect(await kindOfProblem(set(scene, {}, await support.person('practice', 'Otto Elsewhere')))).toBe(
    'not_found',
  )
  expect(await kindOfProblem(set(scene, { practiceId: other.practiceId }, other.admin))).toBe('not_found')
  expect(await kindOfProblem(set(scene, { keyId: 'no key' }))).toBe('not_found')
  expect(await kindOfProblem(set(scene, { reason: 'short' }))).toBe('validation')
  expect(await kindOfProblem(set(scene, { version: 7 }))).toBe('conflict')
  const actor = scene.office.admin.fresh()
  const stale = { ...actor, authenticatedAt: new Date(services.clock().getTime() - 3_600_000) }
  const { id: keyId, version } = await keyOf(scene)
  const input = { ...none, callsPerDay: 1, timeZone: 'UTC', reason, keyId, version, practiceId }
  expect(await kindOfProblem(services.keyCaps.set(input, stale))).toBe('forbidden')
  expect((await keyOf(scene)).capId).toBeNull()
})

test('of two changes at once one is made; a rotated key shares caps and counts with the one in its grace', async () => {
  const scene = await support.working()
  const { version } = await keyOf(scene)
  const outcomes = await Promise.allSettled([
    set(scene, { callsPerDay: 1, version }),
    set(scene, { callsPerDay: 2, version }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { id: keyId, capId } = await keyOf(scene)
  services.advance(1_000)
  await services.keys.rotate({ keyId, graceHours: 24 }, scene.owner.fresh())
  expect((await keyOf(scene)).capId).toBe(capId)
  await set(scene, { callsPerDay: 9 })
  const keys = await services.prisma.apiKey.findMany({
    where: { productionRequestId: scene.requestId },
    include: { cap: true },
  })
  expect(keys.map(({ cap }) => cap?.callsPerDay)).toEqual([9, 9])
})

test('a key that the practice is changing is not rotated into one without the change', async () => {
  const scene = await support.working()
  const { id: keyId } = await keyOf(scene)
  services.advance(1_000)
  await Promise.allSettled([
    services.keys.rotate({ keyId, graceHours: 24 }, scene.owner.fresh()),
    set(scene, { callsPerDay: 3 }),
  ])
  const keys = await services.prisma.apiKey.findMany({ where: { productionRequestId: scene.requestId } })
  expect(new Set(keys.map(({ capId }) => capId)).size).toBe(1)
})

test('days are forgotten two days after they end', async () => {
  const scene = await support.working()
  await set(scene)
  const capId = (await keyOf(scene)).capId ?? ''
  const days = ['2026-05-01', '2026-05-02', '2026-05-03']
  for (const day of days) await takeCall(services.pool, { capId, day }, 5)
  await services.keyCaps.forgetOldDays(new Date('2026-05-05T00:00:00Z'))
  const left = await Promise.all(days.map((day) => readCapDay(services.pool, { capId, day })))
  expect(left.map(({ calls }) => calls)).toEqual([0, 0, 1])
})

test.each([
  [{ callsPerDay: '0' }, ['callsPerDay']],
  [{ callsPerDay: '-5' }, ['callsPerDay']],
  [{ callsPerDay: '1.5' }, ['callsPerDay']],
  [{ callsPerDay: '٣' }, ['callsPerDay']],
  [{ patientsPerDay: '9999999999' }, ['patientsPerDay']],
  [{ hoursFrom: '08:00' }, ['hoursUntil']],
  [{ hoursUntil: '08:00' }, ['hoursFrom']],
  [{ hoursFrom: '08:00', hoursUntil: '08:00' }, ['hoursUntil']],
  [{ hoursFrom: '24:00', hoursUntil: '8:00' }, ['hoursFrom', 'hoursUntil']],
  [{ timeZone: 'Mars/Olympus' }, ['timeZone']],
  [{ reason: 'short' }, ['reason']],
])('the form refuses %o', (wrong, fields) => {
  const empty = { callsPerDay: '', patientsPerDay: '', hoursFrom: '', hoursUntil: '' }
  const form = { ...empty, timeZone: 'America/Denver', version: '0', reason, ...wrong }
  const parsed = keyAccessForms.cap.safeParse(form)
  expect(parsed.error?.issues.map(({ path }) => String(path[0]))).toEqual(fields)
  const right = { ...form, ...empty, callsPerDay: '2,000', timeZone: 'America/Denver', reason }
  expect(keyAccessForms.cap.parse(right)).toMatchObject({
    callsPerDay: 2_000,
    patientsPerDay: null,
    hoursFrom: null,
  })
})
