/** Who changes what a key can read, within what, and what follows for keys from before. */
import { beforeAll, expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

let services: TestServices
const support = productionKeySupport(() => services)
type Scene = Awaited<ReturnType<typeof support.working>>

const reason = 'The intake form needs names and allergies only.'
const agreed = {
  dataClasses: ['demographics', 'identifiers', 'allergies'] as const,
  purposes: ['operations', 'treatment'] as const,
}

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

const keyOf = async ({ requestId }: Scene) =>
  services.prisma.apiKey.findFirstOrThrow({
    where: { productionRequestId: requestId },
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

const mailsTo = (email: string) =>
  services.prisma.outboxMail.count({ where: { toAddress: email, template: 'key-access' } })

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
