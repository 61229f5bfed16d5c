/** An admin stops a key from the list of who has access with one press, and lets it work again with another. */
import { expect, test } from 'vitest'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type Person, productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { signedInContext } from '../../../tests/support/signed-in-context.ts'
import { action, loader } from './access.route.tsx'

const support = productionKeySupport(() => services)

const services = await registrationServices({ template: 'schema' })
/** A key that works. Each test leaves it so, but for the last. */
const scene = await support.working()

/** What the page's loader or action answers somebody, or the answer it throws. */
async function ask(
  who: Person,
  { fields, query = '', stale = false }: { fields?: Record<string, string>; query?: string; stale?: boolean },
): Promise<unknown> {
  const provenAt = stale ? new Date(services.clock().getTime() - 3_600_000) : services.clock()
  const context = await signedInContext(services, who.accountId, provenAt)
  const request = new Request(
    `https://portal.example${paths.practice}${query}`,
    fields && { method: 'POST', body: new URLSearchParams(fields) },
  )
  const run = fields ? action : loader
  return Promise.resolve(run({ request, params: {}, context } as never)).catch((thrown: unknown) => thrown)
}

async function press(who: Person, intent: 'suspend' | 'reinstate', options = {}) {
  const { version, idempotencyKey } = await support.target(scene.requestId)
  const fields = { intent, request: scene.requestId, version: String(version), idempotencyKey }
  return (await ask(who, { fields, ...options })) as Response & {
    init?: { status: number }
    data?: { wrong: { message: string } }
  }
}

const keysOfScene = () => services.prisma.apiKey.findMany({ where: { productionRequestId: scene.requestId } })

test('one press suspends every key of the request, and tells both sides; another lets them work', async () => {
  const { admin } = scene.office

  const suspended = await press(admin, 'suspend')

  expect([suspended.status, suspended.headers.get('location')]).toEqual([302, paths.practice])
  expect(await support.stateOf(scene.requestId)).toBe('suspended')
  for (const key of await keysOfScene()) expect(key.suspendedAt).not.toBeNull()
  for (const { email } of [scene.owner, admin])
    expect(await support.mailed(email)).toContain('production-suspended')
  expect(await ask(admin, {})).toMatchObject({
    access: { listed: { rows: [{ id: scene.requestId, state: 'suspended', causes: ['practice'] }] } },
  })

  const resumed = await press(admin, 'reinstate')

  expect(resumed.status).toBe(302)
  expect(await support.stateOf(scene.requestId)).toBe('active')
  for (const key of await keysOfScene()) expect(key.suspendedAt).toBeNull()
})

test('without a fresh proof nothing is done; the proof leads back to that key, ready to suspend', async () => {
  const { admin } = scene.office

  const answer = await press(admin, 'suspend', { stale: true })

  const proof = new URL(answer.headers.get('location') ?? '', 'https://portal.example')
  expect([answer.status, proof.pathname]).toEqual([302, paths.practiceMfa])
  const back = proof.searchParams.get('next') ?? ''
  expect(back).toBe(`${paths.practice}?confirm=${scene.requestId}`)
  expect(await support.stateOf(scene.requestId)).toBe('active')

  const page = await ask(admin, { query: new URL(back, 'https://portal.example').search })

  expect(page).toMatchObject({
    confirm: { requestId: scene.requestId, name: 'Nightly import', step: 'suspend' },
  })
})
