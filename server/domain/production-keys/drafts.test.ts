/** A request while it is being written: it may be half empty, and nobody's words are overwritten unseen. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = productionKeySupport(() => services)
const keys = () => services.productionKeys

const services = await registrationServices({ template: 'schema' })

async function begun(copyOf: string | null = null) {
  const made = await support.team()
  const office = await support.office()
  const input = {
    organizationId: made.organizationId,
    practiceSlug: office.slug,
    copyOf,
    idempotencyKey: randomUUID(),
  }
  const { requestId } = await keys().begin(input, made.owner.fresh())
  return { ...made, office, requestId, input }
}

const draftNow = async (requestId: string, reader: { accountId: string }) =>
  (await keys().get(requestId, reader)).draft

const rest = {
  name: 'Nightly import',
  justification: 'Reads visits every night so that the reminder calls are right.',
  purposes: ['operations' as const],
  dataClasses: ['visits' as const],
}

test('a practice is enough to begin: the owner who asks signs, and nothing else is filled in', async () => {
  const { requestId, owner, office, input } = await begun()

  expect(await draftNow(requestId, owner)).toEqual({
    practiceSlug: office.slug,
    name: '',
    level: 'read_only',
    justification: '',
    purposes: [],
    dataClasses: [],
    termDays: 90,
    signatoryId: owner.accountId,
    signatoryName: owner.name,
    signatoryTitle: '',
  })
  expect(await keys().begin(input, owner.fresh())).toEqual({ requestId })
})

test('the next request knows who signs, and a copy what was asked for', async () => {
  const first = await begun()
  const { organizationId, owner, office } = first
  const changes = { ...rest, level: 'full' as const, signatoryTitle: 'Chief Executive' }
  await keys().save({ ...(await support.target(first.requestId)), changes }, owner.fresh())
  const admin = await support.addMember(organizationId, 'admin', 'Kim Placeholder')
  const another = { organizationId, practiceSlug: office.slug, idempotencyKey: randomUUID() }

  const { requestId } = await keys().begin({ ...another, copyOf: first.requestId }, admin.fresh())
  expect(await draftNow(requestId, admin)).toEqual(await draftNow(first.requestId, owner))
  const foreign = await begun()
  expect(await kindOfProblem(keys().begin({ ...another, copyOf: foreign.requestId }, owner.fresh()))).toBe(
    'not_found',
  )
})

test('what is not new makes no step', async () => {
  const { requestId, owner } = await begun()
  const { version } = await keys().save(
    { ...(await support.target(requestId)), changes: { name: 'Nightly import' } },
    owner.fresh(),
  )

  const again = { ...(await support.target(requestId)), changes: { name: 'Nightly import' } }
  expect(await keys().save(again, owner.fresh())).toEqual({ version })
})

test('another admin of the organization goes on with it, and nobody else', async () => {
  const { requestId, organizationId, owner } = await begun()
  const admin = await support.addMember(organizationId, 'admin', 'Kim Placeholder')
  const developer = await support.addMember(organizationId, 'developer', 'Bo Placeholder')
  const stranger = await support.team()
  const save = async (name: string, by: typeof admin) =>
    keys().save({ ...(await support.target(requestId)), changes: { name } }, by.fresh())

  await save('Of the admin', admin)
  expect(await draftNow(requestId, owner)).toMatchObject({ name: 'Of the admin' })
  expect(await kindOfProblem(save('Of the developer', developer))).toBe('forbidden')
  expect(await kindOfProblem(save('Of a stranger', stranger.owner))).toBe('not_found')
  expect(await kindOfProblem(keys().get(requestId, stranger.owner))).toBe('not_found')
})

test('a save whose answer has not come yet is no change by others, until somebody else saves', async () => {
  const { requestId, organizationId, owner } = await begun()
  const admin = (await support.addMember(organizationId, 'admin', 'Kim Placeholder')).fresh()
  const { version } = await support.target(requestId)
  const [first, second] = [randomUUID(), randomUUID()]
  const save = (name: string, idempotencyKey: string, follows: string, who = owner.fresh()) =>
    keys().save({ requestId, version, idempotencyKey, follows, changes: { name } }, who)

  await save('Typed', first, '')
  await save('Typed on', second, first)
  expect((await draftNow(requestId, owner)).name).toBe('Typed on')
  expect(await kindOfProblem(save('By another', randomUUID(), second, admin))).toBe('conflict')
  expect(await kindOfProblem(save('Typed late', randomUUID(), first))).toBe('conflict')
})
