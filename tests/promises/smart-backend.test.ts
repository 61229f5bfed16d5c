/** Backend systems: signed assertions, the practice's permission, and that neither is ever logged. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { backendStack, type Wrong } from '../support/backend-systems.ts'
import { demonstration } from '../support/smart.ts'

const logLines: string[] = []

const { stack, keys, system, createSystem, sign, ask, seconds } = await backendStack({ logLines })

const isGood = async (token: string) =>
  (await stack.services.smartTokens.authenticate(`Bearer ${token}`, { anew: true })).kind === 'principal'

test.each(['rsa', 'ec'] as const)(
  'a system with the practice’s word gets a token for an %s signature',
  async (kind) => {
    const answer = await ask(await sign(system.client, { key: keys[kind] }))

    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('pragma')).toContain('no-cache')
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^spa_/),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'system/*.rs',
    })
    expect(await isGood(answer.body.access_token)).toBe(true)
  },
)

const issuer = () => stack.services.addresses.fhirBase(demonstration)
const audiences: [string, () => string | string[]][] = [
  ['the issuer', issuer],
  ['an array of the token address', () => [stack.at('token')]],
  ['an array of the issuer', () => [issuer()]],
  ['both, as openid-client 5 sends it', () => [issuer(), stack.at('token')]],
  ['the token address beside another server', () => ['https://other.example', stack.at('token')]],
]
test.each(audiences)('an assertion whose aud is %s is accepted', async (_, audience) => {
  const answer = await ask(await sign(system.client, { claims: { aud: audience() } }))

  expect(answer.status).toBe(200)
})

test('a wrong grant type gets exactly 400, a wrong assertion type 401', async () => {
  const wrongGrant = await ask(await sign(system.client), { grant_type: 'not_a_grant_type' })
  const wrongType = await ask(await sign(system.client), { client_assertion_type: 'not_an_assertion_type' })

  expect([wrongGrant.status, wrongGrant.body.error]).toEqual([400, 'unsupported_grant_type'])
  expect([wrongType.status, wrongType.body.error]).toEqual([401, 'invalid_client'])
})

const hour = 3_600
const faults: [string, string, () => Wrong][] = [
  [
    'signed by a key that is not the app’s',
    'signature',
    () => ({ key: { ...keys.stranger, kid: keys.ec.kid } }),
  ],
  ['with a kid that is not known', 'key', () => ({ key: keys.stranger })],
  ['without a kid', 'key', () => ({ header: { kid: undefined } })],
  [
    'with a jku of somebody else',
    'key address',
    () => ({ header: { jku: 'https://evil.example/jwks.json' } }),
  ],
  ['of another type than JWT', 'type', () => ({ header: { typ: 'at+jwt' } })],
  ['meant for another practice', 'audience', () => ({ audience: stack.at('token', 'harbor-family') })],
  [
    'meant for two other servers',
    'audience',
    () => ({ claims: { aud: [stack.at('token', 'harbor-family'), 'https://other.example'] } }),
  ],
  ['meant for another address of this practice', 'audience', () => ({ audience: stack.at('introspect') })],
  ['meant for nobody', 'audience', () => ({ claims: { aud: [] } })],
  ['with a nested aud', 'audience', () => ({ claims: { aud: [[stack.at('token')]] } })],
  ['whose sub is not its iss', 'issuer', () => ({ claims: { sub: 'somebody-else' } })],
  ['that has expired', 'expiry', () => ({ claims: { exp: seconds() - 61 } })],
  ['that lasts longer than five minutes', 'expiry', () => ({ claims: { exp: seconds() + hour } })],
  ['without an end', 'expiry', () => ({ claims: { exp: undefined } })],
  ['whose end is no number', 'expiry', () => ({ claims: { exp: 'tomorrow' } })],
  ['from the future', 'issued', () => ({ claims: { iat: seconds() + 120 } })],
  ['without a jti', 'jti form', () => ({ claims: { jti: undefined } })],
  ['with an endless jti', 'jti form', () => ({ claims: { jti: 'j'.repeat(256) } })],
]

test.each(faults)('an assertion %s is 401, and the doctor finds it', async (_, check, wrong) => {
  const assertion = await sign(system.client, wrong())

  const answer = await ask(assertion)
  const report = await stack.services.assertionDoctor.check(
    { clientId: system.client.clientId, practiceSlug: demonstration, assertion },
    system.developer,
  )

  expect([answer.status, answer.body]).toEqual([
    401,
    { error: 'invalid_client', error_description: 'Client authentication failed.' },
  ])
  expect(report.accepted).toBe(false)
  const failed = report.findings.filter(({ outcome }) => outcome === 'failed')
  expect(failed.map((finding) => finding.check)).toEqual([check])
  expect(failed[0]?.fix).toMatch(/\w/)
})

test('what is no JWT at all, or not signed, is 401 as well', async () => {
  const [, payload] = (await sign(system.client)).split('.')
  const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
  const broken = ['x', 'a.b.c', `${'a'.repeat(4_000)}.b.c`, none]

  for (const assertion of broken) expect((await ask(assertion)).status).toBe(401)
})

test('clocks may differ by a minute', async () => {
  const claims = { exp: seconds() - 59, iat: seconds() - 300 }
  const ahead = { iat: seconds() + 59, exp: seconds() + 359 }

  expect((await ask(await sign(system.client, { claims }))).status).toBe(200)
  expect((await ask(await sign(system.client, { claims: ahead }))).status).toBe(200)
})

test('an assertion is good once, also when it is sent several times at once', async () => {
  const assertion = await sign(system.client)
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask(assertion)))
  const later = await ask(assertion)
  const sameJti = { claims: { jti: randomUUID() } }

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  expect([later.status, later.body.error]).toEqual([401, 'invalid_client'])
  expect((await ask(await sign(system.client, sameJti))).status).toBe(200)
  expect((await ask(await sign(system.client, { ...sameJti, key: keys.rsa }))).status).toBe(401)
  // Another app's jti is another one.
  const other = await createSystem()
  expect((await ask(await sign(other.client, sameJti))).status).toBe(200)
})

describe('the practice’s word', () => {
  test('is needed; without it, declined, or taken back there is no token', async () => {
    const { client, admin, authorization, developer } = await createSystem({ granted: false })
    const { backendAuthorizations } = stack.services
    const get = async () => (await ask(await sign(client))).status
    const { id } = authorization

    expect(await get()).toBe(400)
    const declined = await backendAuthorizations.decline(
      { id, version: 0, reason: 'Not needed here.' },
      admin,
    )
    expect([declined.state, await get()]).toEqual(['declined', 400])
    const asked = await backendAuthorizations.request(
      {
        clientId: client.clientId,
        practiceSlug: demonstration,
        scope: 'system/*.rs',
        purpose: 'Asks once more.',
      },
      developer,
    )
    const granted = await backendAuthorizations.grant({ id, version: asked.version }, admin)
    expect([granted.state, await get()]).toEqual(['granted', 200])
    const { body } = await ask(await sign(client))
    await backendAuthorizations.revoke({ id, version: granted.version, reason: 'Over.' }, admin)
    expect([await get(), await isGood(body.access_token)]).toEqual([400, false])
  })

  test('may be for less than was asked, and a token is never for more', async () => {
    const { client, admin, authorization } = await createSystem({
      granted: false,
      scope: 'system/Patient.rs system/Observation.rs system/Group.rs',
    })
    const scopes = authorization.scopes.filter((scope) => scope.kind === 'resource' && scope.type !== 'Group')
    await stack.services.backendAuthorizations.grant({ id: authorization.id, version: 0, scopes }, admin)
    const scopeFor = async (scope: string) => {
      const { body } = await ask(await sign(client), { scope })
      return body.scope ?? body.error
    }

    expect(await scopeFor('system/*.rs')).toBe('system/Patient.rs system/Observation.rs')
    expect(await scopeFor('system/Patient.r')).toBe('system/Patient.r')
    expect(await scopeFor('system/Group.rs')).toBe('invalid_scope')
    expect(await scopeFor('patient/Patient.rs')).toBe('invalid_scope')
    expect(await scopeFor('')).toBe('invalid_scope')
  })

  test('is given by admins and signatories of that practice only, once, on what they have seen', async () => {
    const { admin, authorization, developer } = await createSystem({ granted: false })
    const { backendAuthorizations, prisma } = stack.services
    const harbor = await prisma.practice.findUniqueOrThrow({ where: { slug: 'harbor-family' } })
    const clinician = await stack.createClinician(authorization.practice.id, 'pr-ines-placeholder')
    const input = { id: authorization.id, version: 0 }
    const kind = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (problem) => problem.kind,
      )

    expect(await kind(backendAuthorizations.grant(input, developer))).toBe('not_found')
    expect(await kind(backendAuthorizations.grant(input, await stack.createAdmin(harbor.id)))).toBe(
      'not_found',
    )
    expect(await kind(backendAuthorizations.grant(input, clinician))).toBe('forbidden')
    expect(await kind(backendAuthorizations.grant({ ...input, version: 1 }, admin))).toBe('conflict')
    const twice = await Promise.all([1, 2].map(() => kind(backendAuthorizations.grant(input, admin))))
    expect(twice.sort()).toEqual(['conflict', 'done'])
    expect(await prisma.grant.count({ where: { clientId: authorization.client.clientId } })).toBe(1)
  })

  test('of one practice is no word of another', async () => {
    const answer = await ask(
      await sign(system.client, { audience: stack.at('token', 'sandbox-template') }),
      {},
      'sandbox-template',
    )

    expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client'])
  })
})

test('a practice that switches FHIR off answers 403 at the token address, and its tokens are no good', async () => {
  const { prisma, fhirPolicy } = stack.services
  const practice = await prisma.practice.findUniqueOrThrow({ where: { slug: demonstration } })
  const admin = await stack.createAdmin(practice.id)
  const { body } = await ask(await sign(system.client))
  const before = await fhirPolicy.get(practice.id, admin)

  await fhirPolicy.set(practice.id, { ...before, enabled: false }, admin)
  const off = await ask(await sign(system.client))
  const outcome = await stack.services.smartTokens.authenticate(`Bearer ${body.access_token}`, { anew: true })
  await fhirPolicy.set(practice.id, { ...before, types: ['Patient', 'Group'] }, admin)
  const narrowed = await ask(await sign(system.client))
  await fhirPolicy.set(practice.id, before, admin)

  expect([off.status, off.body.error]).toEqual([403, 'access_denied'])
  expect(outcome).toMatchObject({ kind: 'refused', problem: 'forbidden', reason: 'fhir_not_enabled' })
  expect(narrowed.body.scope.split(' ').sort()).toEqual(['system/Group.rs', 'system/Patient.rs'])
  expect(await isGood(body.access_token)).toBe(true)
})

test('no token, secret or assertion ever stands in the log or in a row of the log', async () => {
  const { client, secret } = await stack.createClient({
    scope: 'patient/Patient.rs',
    authentication: 'client_secret_basic',
  })
  const assertion = await sign(system.client)
  const { body } = await ask(assertion)
  await stack.post('token', {
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: client.clientId,
    client_secret: secret ?? '',
  })
  await stack.post('introspect', { token: body.access_token, client_id: client.clientId })
  await stack.services.recorder.flush()
  const { rows } = await stack.services.database.ownerPool.query(
    'SELECT a::text AS text FROM log.activity a UNION ALL SELECT p::text FROM log.phi_audit p UNION ALL SELECT e::text FROM portal.audit_event e',
  )

  const written = logLines.join('') + JSON.stringify(rows)
  expect(logLines.length).toBeGreaterThan(50)
  for (const each of [body.access_token, secret, assertion, assertion.split('.')[2]])
    expect(written).not.toContain(each)
  expect(written).not.toMatch(/sp[acrls]_[A-Za-z0-9_-]{43}/)
})
