/** An app in three answers: a draft with a sandbox client that works at once, or nothing. */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { insertRecords } from '../../audit/log-rows.ts'
import { firstScopes, newAppForm } from '../../contract/forms/new-app.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { logStart } from '../../contract/keys/key-life.ts'
import { firstPage } from '../../contract/portal/paging.ts'
import { checkClientAtPractice } from '../clients/client-at-practice.ts'

const support = registrationSupport(() => services)

const services = await registrationServices()
const pair = await generateKeyPair('ES384', { extractable: true })
const set = async (key: CryptoKey) => JSON.stringify({ keys: [{ ...(await exportJWK(key)), kid: 'one' }] })
const keys: { public: string; private: string } = {
  public: await set(pair.publicKey),
  private: await set(pair.privateKey),
}

async function makeTeam() {
  const { organizationId } = await support.makeTeam()
  return { organizationId, developer: await support.addMember(organizationId, 'developer') }
}

const ask = (answers: object, idempotencyKey: string = randomUUID()) => ({
  app: newAppForm.parse({ name: 'Tidepath', audience: 'patient', ...answers }),
  idempotencyKey,
})

test.each([
  ['patient', { redirectUris: 'http://localhost:5173/callback' }],
  ['clinician', { redirectUris: 'com.example.tidepath:/callback' }],
  ['backend', { keys: 'https://tidepath.example/jwks.json' }],
  ['backend', { keys: 'pasted' }],
] as const)('of a %s app, three answers make a client for the own sandbox: %j', async (audience, answer) => {
  const { organizationId, developer } = await makeTeam()
  const given = 'keys' in answer && answer.keys === 'pasted' ? { keys: keys.public } : answer

  const made = await services.registrations.createApp(
    { organizationId, ...ask({ audience, ...given }) },
    developer.actor,
  )

  const client = await services.prisma.client.findUniqueOrThrow({ where: { id: made.sandboxClientId ?? '' } })
  const practice = await services.prisma.practice.findFirstOrThrow({
    where: { organizationId, purpose: 'organization_sandbox' },
  })
  await checkClientAtPractice(services.prisma, client, practice)
  expect(client).toMatchObject({ audience, environment: 'sandbox', scope: firstScopes[audience] })
  const view = await services.registrations.get(made.registrationId, developer)
  expect(view).toMatchObject({ state: 'draft', name: 'Tidepath', productionClientId: null })
  const errors = services.linter.look(view.form).findings.filter(({ severity }) => severity === 'error')
  expect(errors.filter(({ stage, missing }) => stage === 'sandbox' || !missing)).toEqual([])
})

test('the form sent twice, also at once, makes one app', async () => {
  const { organizationId, developer } = await makeTeam()
  const answers = ask({ redirectUris: 'https://app.tidepath.example/callback' })
  const create = () => services.registrations.createApp({ organizationId, ...answers }, developer.actor)

  const made = [...(await Promise.all([create(), create()])), await create()]

  expect(new Set(made.map(({ registrationId }) => registrationId)).size).toBe(1)
  expect(await services.prisma.client.count({ where: { organizationId } })).toBe(1)
})

test('what the sandbox client can’t have makes no draft, and no answer repeats a private key', async () => {
  const { organizationId, developer } = await makeTeam()
  const viewer = await support.addMember(organizationId, 'viewer')
  const create = (answers: object, actor = developer.actor) =>
    services.registrations.createApp({ organizationId, ...ask(answers) }, actor)
  const secret = await create({ audience: 'backend', keys: keys.private }).catch((thrown: unknown) => thrown)
  const useless = create({ audience: 'backend', keys: '{"keys":[]}' })

  expect(isProblem(secret) && [secret.kind, secret.field, secret.detail]).toEqual([
    'validation',
    'jwks',
    'secret scan: jwks',
  ])
  expect(String(secret)).not.toContain(JSON.parse(keys.private).keys[0].d)
  await expect(useless).rejects.toMatchObject({ field: 'jwks', message: 'A JWKS must have 1 to 20 keys.' })
  expect(await kindOfProblem(create({ redirectUris: 'https://app.tidepath.example/' }, viewer.actor))).toBe(
    'conflict',
  )
  expect(await services.prisma.registration.count({ where: { organizationId } })).toBe(0)
  expect(await services.prisma.client.count({ where: { organizationId } })).toBe(0)
})

test.each([
  [{ redirectUris: 'javascript:alert(1)' }, 'redirectUris', 'can’t begin with javascript:'],
  [{ redirectUris: 'data:text/html,hello' }, 'redirectUris', 'can’t begin with data:'],
  [{ redirectUris: 'file:///etc/passwd' }, 'redirectUris', 'can’t begin with file:'],
  [{ redirectUris: 'https://*.tidepath.example/' }, 'redirectUris', 'can’t have a wildcard'],
  [{ redirectUris: 'https://app.tidepath.example/#a' }, 'redirectUris', 'can’t have a fragment'],
  [{ redirectUris: 'https://me@app.tidepath.example/' }, 'redirectUris', 'can’t contain a user name'],
  [{ redirectUris: 'http://app.tidepath.example/' }, 'redirectUris', 'Plain http'],
  [{ redirectUris: '' }, 'redirectUris', 'Enter a redirect URI.'],
  [{ name: ' T ', redirectUris: 'https://app.tidepath.example/' }, 'name', '2 to 100 characters'],
  [{ audience: 'backend' }, 'keys', 'Enter a key set'],
  [{ audience: 'backend', keys: 'http://tidepath.example/jwks.json' }, 'keys', 'starts with https://'],
] as const)('the form itself refuses %j', (answers, field, message) => {
  const parsed = newAppForm.safeParse({ name: 'Tidepath', audience: 'patient', ...answers })

  expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([field])
  expect(parsed.error?.issues[0]?.message).toContain(message)
})

test('keys of a person’s app, and redirect URIs of a backend system, are left out', async () => {
  const { organizationId, developer } = await makeTeam()
  const create = (answers: object) =>
    services.registrations.createApp({ organizationId, ...ask(answers) }, developer.actor)
  const both = { redirectUris: 'https://app.tidepath.example/', keys: keys.public }

  const person = await create(both)
  const system = await create({ ...both, audience: 'backend' })

  const clients = await services.prisma.client.findMany({ where: { organizationId } })
  const of = (id: string | null) => clients.find((client) => client.id === id)
  expect(of(person.sandboxClientId)).toMatchObject({ jwks: null, redirectUris: [both.redirectUris] })
  expect(of(system.sandboxClientId)).toMatchObject({ redirectUris: [] })
})

test('the list of apps counts the calls of today that the log shows', async () => {
  const { organizationId, developer } = await makeTeam()
  const app = { organizationId, ...ask({ redirectUris: 'https://app.tidepath.example/' }) }
  const { sandboxClientId: clientId } = await services.registrations.createApp(app, developer.actor)
  const from = logStart('today', services.clock())
  const call = (at: Date, refusal: string | null, count: number) => {
    const ids = { clientId, correlationId: randomUUID(), keyId: null, claimedPrefix: null, practiceId: null }
    const rest = { ip: null, clientCorrelationId: null, durationMs: 1, fromBrowser: false, refusal }
    const request = {
      door: 'smart',
      environment: 'sandbox',
      method: 'POST',
      route: '/token',
      status: 200,
    } as const
    return { activity: { at, ...ids, ...request, ...rest }, count }
  }
  const yesterday = new Date(from.getTime() - 1)
  const calls = [call(from, null, 3), call(from, 'invalid_grant', 2), call(yesterday, 'invalid_grant', 5)]
  await services.pool.query(insertRecords(calls))

  const reader = { organizationId, accountId: developer.accountId, clientId: clientId ?? '', from, limit: 9 }
  const { rows } = await services.registrations.listApps(reader, firstPage)
  const count = async (status?: 'refused') =>
    (await services.keys.activity({ ...reader, ...(status && { status }) })).rows.reduce(
      (sum, row) => sum + row.count,
      0,
    )
  expect(rows[0]?.clients[0]?.today).toEqual({ calls: await count(), refused: await count('refused') })
  expect(rows[0]?.clients[0]?.today).toEqual({ calls: 5, refused: 2 })
})
