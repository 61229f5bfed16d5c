import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeAssertionKey } from '../../../tests/support/assertion.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { smartSupport } from '../../../tests/support/smart.ts'
import { firstPage } from '../../contract/portal/paging.ts'
import { createKeyring } from '../../keyring.ts'
import type { Actor } from '../actor.ts'
import { withCore } from '../core.ts'
import { getSmartPractice } from '../practices/fhir-access.ts'
import * as clientAuthentication from './client-authentication.ts'
import type { NewClient } from './client-types.ts'

const services = await testServices()
const support = smartSupport(services)
const jwk: Record<string, unknown> = { ...(await makeAssertionKey('ES384')).publicJwk }

const app: NewClient = {
  organizationId: null,
  environment: 'sandbox',
  audience: 'patient',
  authentication: 'none',
  name: 'Bird Diary',
  redirectUris: ['https://app.example/callback'],
  scope: 'launch/patient patient/*.rs',
}
const backend: Partial<NewClient> = {
  audience: 'backend',
  authentication: 'private_key_jwt',
  redirectUris: [],
  scope: 'system/*.rs',
}

const fieldAtFault = (change: Partial<NewClient>) =>
  services.clients.create({ ...app, ...change }, null).then(
    () => null,
    (problem) => (problem.kind === 'validation' ? problem.field : problem.kind),
  )

describe('a registration is refused, naming the field,', () => {
  const wrong: [string, () => Partial<NewClient>, string][] = [
    ['without a name', () => ({ name: ' ' }), 'name'],
    ['with a scope that is none', () => ({ scope: 'patient/Claim.rs' }), 'scope'],
    ['with no scope', () => ({ scope: '' }), 'scope'],
    ['with system scopes for people', () => ({ scope: 'system/*.rs' }), 'scope'],
    [
      'with people’s scopes for a backend',
      () => ({ ...backend, jwks: { keys: [jwk] }, scope: 'patient/*.rs' }),
      'scope',
    ],
    ['without a redirect address', () => ({ redirectUris: [] }), 'redirectUris'],
    [
      'with a redirect address for a backend',
      () => ({ ...backend, jwks: { keys: [jwk] }, redirectUris: app.redirectUris }),
      'redirectUris',
    ],
    ['with a backend that signs nothing', () => ({ ...backend, authentication: 'none' }), 'authentication'],
    ['with a signing app without keys', () => ({ ...backend }), 'jwksUrl'],
    [
      'with keys and their address',
      () => ({ ...backend, jwks: { keys: [jwk] }, jwksUrl: 'https://a.example/k' }),
      'jwks',
    ],
    ['with keys that nobody signs with', () => ({ jwks: { keys: [jwk] } }), 'jwks'],
    ['with a private key', () => ({ ...backend, jwks: { keys: [{ ...jwk, d: 'x' }] } }), 'jwks'],
    [
      'with a key of another curve',
      () => ({ ...backend, jwks: { keys: [{ ...jwk, crv: 'P-256' }] } }),
      'jwks',
    ],
    [
      'with a key without a kid',
      () => ({ ...backend, jwks: { keys: [{ ...jwk, kid: undefined }] } }),
      'jwks',
    ],
    ['with keys fetched by http', () => ({ ...backend, jwksUrl: 'http://a.example/k' }), 'jwksUrl'],
    ['with keys on another port', () => ({ ...backend, jwksUrl: 'https://a.example:8443/k' }), 'jwksUrl'],
    ['with a home page that is a script', () => ({ homepage: 'javascript:alert(1)' }), 'homepage'],
    ['with a client_id of odd letters', () => ({ clientId: 'a b' }), 'clientId'],
  ]

  test.each(wrong)('%s', async (_, change, field) => {
    expect(await fieldAtFault(change())).toBe(field)
  })

  test.each([
    'http://app.example/callback',
    'https://app.example/callback#x',
    'https://user:secret@app.example/',
    'https://*.app.example/',
    'app:/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'not a url',
    'https://app.example/a b',
  ])('with the redirect address %s', async (uri) => {
    expect(await fieldAtFault({ redirectUris: [uri] })).toBe('redirectUris')
  })
})

test('native apps may come back by a scheme of their own, or to this machine', async () => {
  const redirectUris = [
    'com.example.app:/callback',
    'http://127.0.0.1/callback',
    'http://[::1]/callback',
    'http://localhost:3000/cb',
  ]

  expect(await fieldAtFault({ redirectUris })).toBeNull()
})

test('sandbox and production registrations of one app have ids of their own, and one each', async () => {
  const appId = randomUUID()
  const [sandbox, production] = await Promise.all(
    (['sandbox', 'production'] as const).map((environment) =>
      services.clients.create({ ...app, appId, environment }, null),
    ),
  )

  expect(sandbox?.client.clientId).toMatch(/^sbx-[0-9a-f]{24}$/)
  expect(production?.client.clientId).toMatch(/^app-[0-9a-f]{24}$/)
  expect(await fieldAtFault({ appId })).toBe('conflict')
})

const secretOf = (answer: Awaited<ReturnType<TestServices['clients']['addSecret']>>) => {
  if (answer.kind !== 'added') throw new Error(answer.kind)
  return answer.secret
}

test('a secret of a production app is made by owners and admins alone, with a fresh password and second step', async () => {
  const { developer: owner, organizationId } = await support.createOrganization()
  const other = support.actorOf((await support.createAccount('developer')).id)
  await services.prisma.membership.create({
    data: { organizationId, accountId: other.accountId, role: 'developer', createdAt: services.clock() },
  })
  const confidential = { ...app, organizationId, authentication: 'client_secret_basic' } as const
  const made = async (environment: 'sandbox' | 'production') =>
    (await services.clients.create({ ...confidential, environment }, owner)).client
  const [sandbox, production] = [await made('sandbox'), await made('production')]
  const add = (clientId: string, by: Actor = owner) => services.clients.addSecret(clientId, by)
  const [{ id: secretId } = { id: '' }] = production.secrets

  await expect(add(production.clientId, other)).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(
    services.clients.revokeSecret({ clientId: production.clientId, secretId }, other),
  ).rejects.toMatchObject({ kind: 'forbidden' })
  const long = { ...owner, authenticatedAt: new Date(services.clock().getTime() - 11 * 60_000) }
  expect(await add(production.clientId, long)).toEqual({ kind: 'step_up_needed' })
  const { mfa: _, ...passwordOnly } = owner
  expect(await add(production.clientId, passwordOnly)).toEqual({ kind: 'step_up_needed' })
  expect((await services.clients.get(production.clientId, owner)).secrets).toHaveLength(1)
  expect(secretOf(await add(production.clientId))).toMatch(/^sps_/)
  const { mfa: _other, ...ofSandbox } = other
  expect(secretOf(await add(sandbox.clientId, ofSandbox))).toMatch(/^sps_/)
  const publicApp = (await services.clients.create({ ...app, organizationId }, owner)).client
  await expect(add(publicApp.clientId)).rejects.toMatchObject({ kind: 'conflict' })
})

test('a secret is shown once, kept as a keyed hash, and changed without an outage', async () => {
  const { developer, organizationId } = await support.createOrganization()
  const { client, secret } = await services.clients.create(
    { ...app, organizationId, authentication: 'client_secret_basic', everyPractice: true },
    developer,
  )
  const practice = await getSmartPractice(services.prisma, 'sandpiper-demonstration')
  const works = async (text: string | null) => {
    const credentials = { kind: 'secret', clientId: client.clientId, secret: text ?? '' } as const
    const named = await services.clientAuthentication.findNamed(practice, credentials)
    return services.clientAuthentication.authenticate(practice, named, credentials, randomUUID()).then(
      () => true,
      () => false,
    )
  }

  const next = secretOf(await services.clients.addSecret(client.clientId, developer))
  expect([await works(secret), await works(next), await works('sps_x')]).toEqual([true, true, false])
  await expect(services.clients.addSecret(client.clientId, developer)).rejects.toMatchObject({
    kind: 'conflict',
  })
  const [{ id } = { id: '' }] = client.secrets
  await services.clients.revokeSecret({ clientId: client.clientId, secretId: id }, developer)
  expect([await works(secret), await works(next)]).toEqual([false, true])

  const { rows } = await services.database.ownerPool.query(
    `SELECT encode(hash, 'escape') AS text FROM portal.client_secret
     UNION ALL SELECT detail::text FROM portal.audit_event`,
  )
  const stored = JSON.stringify([rows, await services.clients.get(client.clientId, developer)])
  expect(stored).not.toContain(secret)
  expect(stored).not.toContain(next)
})

test('a secret outlives the key it was hashed with, once it was used under the next one', async () => {
  const { prisma, env } = services
  const { client, secret } = await support.createClient({
    scope: app.scope,
    authentication: 'client_secret_basic',
  })
  const row = await prisma.client.findUniqueOrThrow({ where: { id: client.clientId } })
  const practice = await getSmartPractice(prisma, 'sandpiper-demonstration')
  const newer = `newer:${randomBytes(32).toString('base64')}`
  const withKeys = (...keys: string[]) =>
    withCore({ ...services.core, keyring: createKeyring(keys.join(',')) }, clientAuthentication)
  const bring = (to: ReturnType<typeof withKeys>) =>
    to
      .authenticate(practice, row, { kind: 'secret', clientId: row.id, secret: secret ?? '' }, randomUUID())
      .then(
        () => 'good',
        ({ detail }) => detail,
      )

  const both = withKeys(newer, env.ENCRYPTION_KEYS)
  const bothKeys = createKeyring([newer, env.ENCRYPTION_KEYS].join(','))
  const countOld = async () =>
    (await prisma.clientSecret.findMany()).filter(({ hash }) => bothKeys.isOld(hash)).length
  const old = await countOld()
  expect(await bring(withKeys(newer))).toBe('wrong_client_secret')
  expect(await bring(both)).toBe('good')

  expect(await countOld()).toBe(old - 1)
  expect(await bring(withKeys(newer))).toBe('good')
})

test('an app is seen and changed by its own organization only, and by roles that may', async () => {
  const { developer, organizationId } = await support.createOrganization()
  const stranger = await support.createOrganization()
  const { client } = await services.clients.create({ ...app, organizationId }, developer)
  const viewer = support.actorOf((await support.createAccount('developer')).id)
  await services.prisma.membership.create({
    data: { organizationId, accountId: viewer.accountId, role: 'viewer', createdAt: services.clock() },
  })
  const kind = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (problem) => problem.kind,
    )
  const { clients } = services

  const listed = await clients.listPage(organizationId, firstPage, viewer)
  expect(listed.rows.map(({ clientId }) => clientId)).toEqual([client.clientId])
  const none = { audience: client.audience === 'backend' ? 'patient' : 'backend' } as const
  expect((await clients.listPage(organizationId, firstPage, viewer, none)).total).toBe(0)
  expect(await kind(clients.listPage(organizationId, firstPage, stranger.developer))).toBe('not_found')
  expect(await kind(clients.get(client.clientId, stranger.developer))).toBe('not_found')
  await services.prisma.client.update({
    where: { id: client.clientId },
    data: { suspendedAt: services.clock() },
  })
  expect((await clients.get(client.clientId, developer)).state).toBe('suspended')
})
