import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { keyRequestForm } from '../../../tests/support/key-request.ts'
import { mailsTo } from '../../../tests/support/mailed.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createVisitor, kindOfProblem } from '../../../tests/support/visitor.ts'
import type { Actor } from '../actor.ts'

let actor: Actor
let email: string

const services = await testServices()

beforeEach(async () => {
  const visitor = createVisitor(services)
  email = visitor.email
  const accountId = await visitor.makeVerified()
  actor = { ...visitor.context, accountId, sessionId: randomUUID(), authenticatedAt: services.clock() }
})

const takeFirstKey = (changes: { projectDescription?: string; termsSha256?: string } = {}, as = actor) => {
  const {
    organizationId: _,
    name: __,
    technicalContact: ___,
    ...form
  } = keyRequestForm(services, '', {
    projectDescription: 'Referral inbox for the letters of one practice, sorted by who has to answer.',
    idempotencyKey: `first-key-of-${actor.accountId}`,
    ...changes,
  })
  return services.keys.takeFirstKey({ organizationName: 'Larkfield Labs', ...form }, as)
}

const count = async () => ({
  organizations: await services.prisma.organization.count({ where: { createdById: actor.accountId } }),
  requests: await services.prisma.sandboxKeyRequest.count({ where: { requestedById: actor.accountId } }),
  keys: await services.prisma.apiKey.count({ where: { createdById: actor.accountId } }),
})

test('the first key comes with its organization, and no email leads to it', async () => {
  const answer = await takeFirstKey()

  expect(answer).toMatchObject({ kind: 'revealed', name: 'Referral inbox', level: 'read_only' })
  expect(await count()).toEqual({ organizations: 1, requests: 1, keys: 1 })
  expect(await mailsTo(services, email)).toEqual(['verify-email', 'welcome', 'key-revealed'])
})

test('the form sent twice, or twice at once, makes one organization and one key', async () => {
  const answers = await Promise.all([takeFirstKey(), takeFirstKey()])
  const again = await takeFirstKey()

  expect(answers.filter(({ kind }) => kind === 'revealed')).toHaveLength(1)
  expect(again).toEqual({ kind: 'elsewhere', path: expect.stringMatching(/^\/organizations\/.*\/keys$/) })
  expect(await count()).toEqual({ organizations: 1, requests: 1, keys: 1 })
})

test('a form that is wrong leaves nothing behind', async () => {
  expect(await kindOfProblem(takeFirstKey({ termsSha256: '0'.repeat(64) }))).toBe('validation')
  expect(await count()).toEqual({ organizations: 0, requests: 0, keys: 0 })
})

test('a request that a reviewer has to read leads to the list of keys', async () => {
  const projectDescription =
    'We import the records of our real patients into the sandbox and compare the results.'
  expect(await takeFirstKey({ projectDescription })).toMatchObject({ kind: 'elsewhere' })
  const where = { requestedById: actor.accountId }
  expect(await services.prisma.sandboxKeyRequest.findFirst({ where })).toMatchObject({
    state: 'manual_review',
  })
})

test('with a password given long ago the key waits for it', async () => {
  const stale = { ...actor, authenticatedAt: new Date(services.clock().getTime() - 3_600_000) }

  expect(await takeFirstKey({}, stale)).toMatchObject({
    path: expect.stringContaining('/keys/claim?request='),
  })
  expect(await count()).toEqual({ organizations: 1, requests: 1, keys: 0 })
})

test('a member of an organization asks on its page of keys', async () => {
  await takeFirstKey()
  const where = { requestedById: actor.accountId }
  await services.prisma.sandboxKeyRequest.updateMany({ where, data: { idempotencyKey: randomUUID() } })

  expect(await kindOfProblem(takeFirstKey())).toBe('conflict')
})
