/** The annual review: what it lists and proposes, what it removes, and what keeps it from being signed. */
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { accessReviewForms } from '../../contract/forms/access-review.ts'

let services: TestServices
const support = productionKeySupport(() => services)
type Scene = Awaited<ReturnType<typeof support.working>>
let scene: Scene
let otherKeyId: string

const note = 'Reviewed with the office manager.'
const dayMs = 86_400_000

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

/** A key of developers, new, and a key of the practice's own that is 200 days old and was never used. */
beforeEach(async () => {
  scene = await support.working()
  const now = services.clock().getTime()
  ;({ id: otherKeyId } = await services.prisma.apiKey.create({
    data: {
      ...{ name: 'Registry', level: 'read_only', environment: 'production' },
      ...{ prefix: `svc_l${randomUUID().slice(0, 7)}`, secretHash: Buffer.from(randomUUID()) },
      ...{ practiceId: scene.office.practiceId, createdById: scene.office.admin.accountId },
      createdAt: new Date(now - 200 * dayMs),
      expiresAt: new Date(now + 100 * dayMs),
    },
  }))
})

const admin = () => scene.office.admin.fresh()
const read = () => services.accessReview.read(scene.office.practiceId, admin())
type Sign = Parameters<TestServices['accessReview']['sign']>[0]
const decide = async (remove: readonly string[] = []): Promise<Sign['decisions']> =>
  (await read()).lines.map(({ kind, id }) => ({
    kind,
    id,
    decision: remove.includes(id) ? 'remove' : 'keep',
  }))
const sign = (decisions: Sign['decisions'], actor = admin(), practiceId = scene.office.practiceId) =>
  services.accessReview.sign({ practiceId, decisions, note }, actor)

test('it lists everything with access, proposes what is unused for 90 days, and keeps what is kept', async () => {
  const { lines, last } = await read()
  expect(last).toBeNull()
  expect(lines.map(({ kind, id, unused }) => [kind, id, unused])).toEqual([
    ['other_key', otherKeyId, true],
    ['key', scene.requestId, false],
  ])
  await sign(await decide())
  const after = await read()
  expect(after.last).toMatchObject({ by: 'Theo Placeholder', note })
  expect(after.lines).toHaveLength(2)
  expect(after.nextAt).toEqual(new Date(services.clock().getTime() + 365 * dayMs))
  const { lines: kept } = await services.prisma.accessReview.findFirstOrThrow({
    where: { practiceId: scene.office.practiceId },
  })
  expect(kept).toMatchObject([
    { id: otherKeyId, name: 'Registry', lastUsedAt: null, unused: true, decision: 'keep' },
    { id: scene.requestId, decision: 'keep' },
  ])
  const event = await services.prisma.auditEvent.findFirstOrThrow({
    where: { action: 'practice.access_reviewed', practiceId: scene.office.practiceId },
  })
  expect(event.detail).toMatchObject({ kept: 2, removed: 0 })
})

test('removing revokes a requested key and stops another one; what is stopped already stays so', async () => {
  await sign(await decide([otherKeyId, scene.requestId]))
  const request = await services.prisma.productionKeyRequest.findUniqueOrThrow({
    where: { id: scene.requestId },
  })
  expect(request.state).toBe('revoked')
  const stops = {
    where: { practiceId: scene.office.practiceId, keyId: otherKeyId, endedAt: null },
  } as const
  expect(await services.prisma.practiceStop.count(stops)).toBe(1)
  await sign(await decide([otherKeyId]))
  expect(await services.prisma.practiceStop.count(stops)).toBe(1)
})

test('a list that is not the current one, half a list and a line twice are not signed', async () => {
  const decisions = await decide([otherKeyId])
  const [first] = decisions
  for (const wrong of [[], decisions.slice(1), [...decisions, first], [first, first]] as Sign['decisions'][])
    expect(await kindOfProblem(sign(wrong))).toBe('conflict')
  const foreign = decisions.map((each) => ({ ...each, id: randomUUID() }))
  expect(await kindOfProblem(sign(foreign))).toBe('conflict')
  expect((await read()).last).toBeNull()
  for (const text of ['', 'keep', 'keep key', 'drop key x', 'keep door x', 'keep key x y'])
    expect(accessReviewForms.sign.safeParse({ decisions: [text], note }).success, text).toBe(false)
})

test('only an admin with fresh proof reads and signs it', async () => {
  const decisions = await decide()
  const other = await support.office()
  for (const [who, kind] of [
    [scene.office.signatory, 'forbidden'],
    [other.admin, 'not_found'],
    [scene.owner, 'not_found'],
  ] as const) {
    expect(await kindOfProblem(sign(decisions, who.fresh()))).toBe(kind)
    expect(await kindOfProblem(services.accessReview.read(scene.office.practiceId, who.fresh()))).toBe(kind)
  }
  expect(await kindOfProblem(sign(decisions, { ...admin(), authenticatedAt: new Date(0) }))).toBe('forbidden')
  expect(await kindOfProblem(sign(decisions, other.admin.fresh(), other.practiceId))).toBe('conflict')
})
