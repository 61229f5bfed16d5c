/** A step of a request as its page sends it: sound fields are kept, and nobody is overwritten unseen. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { signedInContext } from '../../../tests/support/signed-in-context.ts'
import { action } from './production-form.route.tsx'
import type { StepAnswer } from './production-form.server.ts'

const support = productionKeySupport(() => services)
let params: { organization: string; productionKey: string }
let accountId: string

const services = await registrationServices({ template: 'schema' })

beforeEach(async () => {
  const { organizationId, slug, owner } = await support.team()
  const { slug: practiceSlug } = await support.office()
  const input = { organizationId, practiceSlug, copyOf: null, idempotencyKey: randomUUID() }
  const { requestId } = await services.productionKeys.begin(input, owner.fresh())
  params = { organization: slug, productionKey: requestId }
  accountId = owner.accountId
})

async function argsOf(query: string, body?: URLSearchParams) {
  const context = await signedInContext(services, accountId)
  const request = new Request(`https://portal.example/form${query}`, body && { method: 'POST', body })
  return { request, params, context }
}

const row = () =>
  services.prisma.productionKeyRequest.findUniqueOrThrow({ where: { id: params.productionKey } })

type Typed = Record<string, string | readonly string[]>

async function send(typed: Typed, version?: number) {
  const body = new URLSearchParams()
  const target = { version: String(version ?? (await row()).version), idempotencyKey: randomUUID() }
  for (const [name, values] of Object.entries({ ...target, ...typed }))
    for (const value of [values].flat()) body.append(name, value as string)
  const answer = (await action(await argsOf('', body))) as Response | { data: StepAnswer }
  return answer instanceof Response
    ? { to: answer.headers.get('location')?.replace(params.productionKey, 'ID') ?? null, said: null }
    : { to: null, said: answer.data }
}

const use: Typed = {
  step: 'use',
  name: 'Nightly import',
  level: 'read_only',
  justification: 'Reads visits every night so that the reminder calls are right.',
  purposes: ['operations'],
  dataClasses: ['demographics', 'visits'],
  termDays: '90',
}
const signing = (): Typed => ({
  step: 'signing',
  signatoryId: accountId,
  signatoryName: 'Robin Testwell',
  signatoryTitle: 'Chief Executive',
})

test('a half filled step is saved, by its button and as it is typed', async () => {
  const half = { step: 'use', name: 'Nightly import', level: 'full', justification: 'Reads' }

  expect((await send(half)).to).toMatch(/form\?step=signing$/)
  expect(await row()).toMatchObject({ name: 'Nightly import', level: 'full', justification: 'Reads' })
  const { said } = await send({ ...half, intent: 'autosave', name: 'Nightly' })
  expect(said).toMatchObject({
    kind: 'saved',
    version: (await row()).version,
    lacks: { purposes: 'Select at least one purpose.' },
  })
  expect((await row()).name).toBe('Nightly')
  expect((await send({ ...half, next: 'practice' })).to).toMatch(/form\?step=practice$/)
  expect((await send({ ...half, next: 'summary' })).to).toMatch(/production-keys\/ID$/)
})

test('a step leaves the fields of the others as they are', async () => {
  await send(use)
  await send(signing())

  expect(await row()).toMatchObject({ name: 'Nightly import', signatoryTitle: 'Chief Executive' })
})

test('of two windows the second is told which of its fields differ, and may then save them', async () => {
  const { version } = await row()
  await send({ ...use, name: 'First window' })

  for (const intent of ['autosave', 'save']) {
    const { said } = await send({ ...use, intent, name: 'Second window' }, version)
    expect(said).toMatchObject({ kind: 'wrong', stale: ['name'], version: (await row()).version })
    expect(said?.wrong?.typed.name).toBe('Second window')
    expect((await row()).name).toBe('First window')
  }
  expect((await send({ ...use, name: 'Second window' })).to).not.toBeNull()
  expect((await row()).name).toBe('Second window')
})

test('the last step saves and sends at once; with a gap it is saved, and the gap is named', async () => {
  const { said } = await send({ ...signing(), intent: 'send' })

  expect(said?.wrong?.message).toMatch(/^Something is missing\. Key name: /)
  expect(await row()).toMatchObject({ state: 'draft', signatoryTitle: 'Chief Executive' })
  await send(use)
  expect((await send({ ...signing(), intent: 'send' })).to).toMatch(/production-keys\/ID$/)
  expect((await row()).state).toBe('sponsor_invited')
})
