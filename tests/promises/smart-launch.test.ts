/** Discovery, authorize and token for apps that people use, as conformance suites ask for them. */
import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { readScopes } from '../../server/contract/scopes.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { RegisteredClient } from '../../server/domain/clients/client-types.ts'
import { makeAssertionKey, signAssertion } from '../support/assertion.ts'
import { demonstration, redirectUri } from '../support/smart.ts'
import { basic, type SmartStack, smartStack } from '../support/smart-http.ts'

const allTypes =
  'Patient AllergyIntolerance CarePlan CareTeam Condition Coverage Device DiagnosticReport DocumentReference Encounter Goal Immunization Location Medication MedicationDispense MedicationRequest Observation Organization Practitioner PractitionerRole Procedure Provenance QuestionnaireResponse RelatedPerson ServiceRequest Specimen'.split(
    ' ',
  )
const standalone = `openid fhirUser launch/patient offline_access ${allTypes.map((type) => `patient/${type}.rs`).join(' ')}`
const patientApp = `${standalone} online_access patient/*.rs patient/*.read`

let stack: SmartStack
let wren: Actor
let client: RegisteredClient
let secret: string
let publicApp: RegisteredClient
let practiceId: string

beforeAll(async () => {
  stack = await smartStack()
  const practice = await stack.services.prisma.practice.findUniqueOrThrow({ where: { slug: demonstration } })
  practiceId = practice.id
  wren = await stack.createPatientPerson(practiceId, 'pt-wren-testwell')
  const made = await stack.createClient({ scope: patientApp, authentication: 'client_secret_basic' })
  client = made.client
  secret = made.secret ?? ''
  publicApp = (await stack.createClient({ scope: patientApp })).client
})

const withSecret = () => ({ headers: { authorization: basic(client.clientId, secret) } })
const noClientId = { client_id: undefined }

async function launch(scope = standalone) {
  const code = await stack.obtainCode({ client, scope, actor: wren, patientId: 'pt-wren-testwell' })
  return stack.exchange(code, client, { change: noClientId, ...withSecret() })
}

const refresh = (token: string, change: Record<string, string> = {}) =>
  stack.post('token', { grant_type: 'refresh_token', refresh_token: token, ...change }, withSecret())

async function isGood(accessToken: string) {
  return (await stack.services.smartTokens.authenticateAnew(`Bearer ${accessToken}`)).kind === 'principal'
}

describe('discovery', () => {
  test('names every address, method and capability, without a token, to any origin', async () => {
    const answer = await stack.send(stack.at('.well-known/smart-configuration'))

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const base = `https://portal.example/r4/${demonstration}`
    expect(answer.body).toMatchObject({
      issuer: base,
      jwks_uri: `${base}/.well-known/jwks.json`,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      introspection_endpoint: `${base}/introspect`,
      revocation_endpoint: `${base}/revoke`,
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
    })
    expect(answer.body.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['client_secret_basic', 'private_key_jwt']),
    )
    expect(answer.body.capabilities).toEqual(
      expect.arrayContaining(
        'launch-standalone client-public client-confidential-symmetric client-confidential-asymmetric sso-openid-connect context-standalone-patient permission-offline permission-patient authorize-post permission-v2 permission-v1 launch-ehr context-banner context-style context-ehr-patient context-ehr-encounter permission-user'.split(
          ' ',
        ),
      ),
    )
  })

  test('answers also where FHIR is not enabled or the practice is suspended, and nowhere else', async () => {
    const status = async (slug: string) =>
      (await stack.send(stack.at('.well-known/smart-configuration', slug))).status

    expect([await status('cedar-hollow'), await status('old-quay'), await status('no-such')]).toEqual([
      200, 200, 404,
    ])
  })

  test('of OpenID stands at the issuer, with keys that hold nothing secret', async () => {
    const { body } = await stack.send(stack.at('.well-known/openid-configuration'))
    const jwks = await stack.send(body.jwks_uri)

    expect(body).toMatchObject({
      issuer: stack.services.addresses.fhirBase(demonstration),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    })
    expect(jwks.body.keys).toHaveLength(2)
    for (const key of jwks.body.keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

describe('the authorize address', () => {
  test.each(['GET', 'POST'] as const)(
    'takes a request by %s and sends the person to our page',
    async (method) => {
      const answer = await stack.authorize({ client, scope: standalone, method })

      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toMatch(/^https:\/\/portal\.example\/authorize\/[0-9a-f-]{36}$/)
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-sandpiper-authorize-[0-9a-f-]{36}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      )
    },
  )

  test('sends back a code, the state as it came, and the issuer', async () => {
    const back = await stack.decide(await stack.authorize({ client, scope: standalone }), wren, {
      patientId: 'pt-wren-testwell',
    })

    expect(back.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(back.searchParams.get('state')).toBe('a state, with spaces & signs')
    expect(back.searchParams.get('iss')).toBe(stack.services.addresses.fhirBase(demonstration))
    expect(back.searchParams.get('code')).toMatch(/^spc_[\w-]{43}$/)
  })

  test('gives no code for another server’s aud', async () => {
    const change = { aud: 'https://inferno.healthit.gov/invalid_aud' }
    const answer = await stack.authorize({ client, scope: standalone, change })

    const back = new URL(answer.headers.get('location') ?? '')
    expect(answer.status).toBe(303)
    expect(back.searchParams.get('error')).toBe('invalid_request')
    expect(back.searchParams.has('code')).toBe(false)
  })

  test('is decided once, by the browser that asked, within ten minutes', async () => {
    const answer = await stack.authorize({ client, scope: standalone })
    const handle = stack.handleOf(answer)
    const { authorizations } = stack.services
    const kind = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (problem) => problem.kind,
      )

    expect(await kind(authorizations.get({ ...handle, cookieHeader: null }))).toBe('not_found')
    expect(await kind(authorizations.get({ ...handle, id: randomUUID() }))).toBe('not_found')
    expect(await kind(authorizations.deny({ ...handle, cookieHeader: 'x=y' }, wren))).toBe('not_found')
    const twice = await Promise.all([1, 2].map(() => kind(authorizations.deny(handle, wren))))
    expect(twice.sort()).toEqual(['done', 'not_found'])
  })

  test('is decided by nobody of another practice or realm, and for nobody else’s record', async () => {
    const harbor = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'harbor-family' },
    })
    const strangers = [
      await stack.createPatientPerson(harbor.id, 'pt-wren-testwell'),
      await stack.createClinician(practiceId, 'pr-ines-placeholder'),
    ]
    const answer = await stack.authorize({ client, scope: standalone })
    const kindOf = (actor: Actor, patientId: string) =>
      stack.decide(answer, actor, { patientId }).then(
        () => 'done',
        (problem) => problem.kind,
      )

    for (const stranger of strangers) {
      expect(await kindOf(stranger, 'pt-wren-testwell')).toBe('forbidden')
      expect(await stack.services.authorizations.people(stack.handleOf(answer), stranger)).toEqual([])
    }
    expect(await kindOf(wren, 'pt-marlo-testwell')).toBe('validation')
    expect(await kindOf(wren, 'pt-wren-testwell')).toBe('done')
  })

  test('tells the app when the person says no', async () => {
    const answer = await stack.authorize({ client, scope: standalone })
    const { redirectTo } = await stack.services.authorizations.deny(stack.handleOf(answer), wren)

    const back = new URL(redirectTo)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('a state, with spaces & signs')
  })
})

describe('the token answer', () => {
  test('has the fields, the scopes and the headers that were promised', async () => {
    const answer = await launch()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('pragma')).toContain('no-cache')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.body).toMatchObject({
      access_token: expect.stringMatching(/^spa_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^spr_/),
      id_token: expect.any(String),
      patient: 'pt-wren-testwell',
    })
    expect(answer.body).not.toHaveProperty('need_patient_banner')
    expect(new Set(answer.body.scope.split(' '))).toEqual(new Set(standalone.split(' ')))
    expect(await isGood(answer.body.access_token)).toBe(true)
  })

  test('answers version 1 scopes in version 1, wildcards as wildcards', async () => {
    const { body } = await launch('openid fhirUser launch/patient offline_access patient/*.read')

    expect(body.scope.split(' ')).toContain('patient/*.read')
  })

  test('echoes granular scopes and grants no whole type beside them', async () => {
    const category = 'http://terminology.hl7.org/CodeSystem/observation-category'
    const granular = [
      'patient/Condition.rs?category=http://terminology.hl7.org/CodeSystem/condition-category|encounter-diagnosis',
      'patient/Condition.rs?category=http://hl7.org/fhir/us/core/CodeSystem/condition-category|health-concern',
      `patient/Observation.rs?category=${category}|laboratory`,
      `patient/Observation.rs?category=${category}|social-history`,
    ]
    const { body } = await launch(['launch/patient', 'patient/Patient.rs', ...granular].join(' '))

    expect(new Set(body.scope.split(' '))).toEqual(
      new Set(['launch/patient', 'patient/Patient.rs', ...granular]),
    )
  })

  test('holds what the person left ticked, and nothing besides', async () => {
    const answer = await stack.authorize({ client, scope: standalone })
    const scopes = readScopes(
      'launch/patient patient/Patient.rs patient/Condition.rs?category=problem-list-item patient/Group.rs'.replace(
        ' patient/Group.rs',
        '',
      ),
    )
    const back = await stack.decide(answer, wren, {
      patientId: 'pt-wren-testwell',
      scopes,
      offlineAccess: false,
    })
    const code = back.searchParams.get('code') ?? ''
    const { body } = await stack.exchange(code, client, { change: noClientId, ...withSecret() })

    expect(body.scope).toBe(
      'launch/patient patient/Patient.rs patient/Condition.rs?category=problem-list-item',
    )
    expect(body).not.toHaveProperty('refresh_token')
    expect(body).not.toHaveProperty('id_token')
  })

  test('brings an id_token that the published keys verify', async () => {
    const before = await launch()
    const rotated = await stack.services.signingKeys.rotate()
    const { body } = await launch()
    const { body: published } = await stack.send(stack.at('.well-known/jwks.json'))
    const keys = createLocalJWKSet(published)
    const options = { currentDate: stack.services.clock(), algorithms: ['RS256'] }

    const { payload, protectedHeader } = await jwtVerify(body.id_token, keys, options)

    const base = stack.services.addresses.fhirBase(demonstration)
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: rotated.current })
    expect(payload).toMatchObject({
      iss: base,
      aud: client.clientId,
      sub: wren.accountId,
      fhirUser: `${base}/Patient/pt-wren-testwell`,
    })
    expect(payload.exp).toBeGreaterThan(payload.iat ?? 0)
    // Signed before the rotation, good after it.
    await expect(jwtVerify(before.body.id_token, keys, options)).resolves.toBeDefined()
    expect(published.keys.map(({ kid }: { kid: string }) => kid)).toContain(rotated.next)
  })
})

describe('a code', () => {
  const wrongVerifiers = {
    missing: undefined,
    empty: '',
    wrong: 'b'.repeat(50),
    'equal to the challenge': 'the challenge',
  }

  test.each(Object.entries(wrongVerifiers))(
    'is worth nothing with a verifier that is %s',
    async (_, verifier) => {
      const { challenge } = await import('../support/smart.ts')
      const code = await stack.obtainCode({
        client,
        scope: standalone,
        actor: wren,
        patientId: 'pt-wren-testwell',
      })
      const change = { ...noClientId, code_verifier: verifier === 'the challenge' ? challenge : verifier }
      const answer = await stack.exchange(code, client, { change, ...withSecret() })

      expect(answer.status).toBe(400)
      expect(answer.body.error).toBe('invalid_grant')
    },
  )

  test('that is bad gets exactly 400, a bad client 401', async () => {
    const bad = await stack.exchange('BAD_CODE', client, { change: noClientId, ...withSecret() })
    const badClient = await stack.exchange('BAD_CODE', publicApp, { change: { client_id: 'BAD_CLIENT_ID' } })

    expect([bad.status, bad.body.error]).toEqual([400, 'invalid_grant'])
    expect([badClient.status, badClient.body.error]).toEqual([401, 'invalid_client'])
  })

  test('used twice takes back what its first use gave', async () => {
    const code = await stack.obtainCode({
      client,
      scope: standalone,
      actor: wren,
      patientId: 'pt-wren-testwell',
    })
    const first = await stack.exchange(code, client, { change: noClientId, ...withSecret() })
    const second = await stack.exchange(code, client, { change: noClientId, ...withSecret() })

    expect([first.status, second.status, second.body.error]).toEqual([200, 400, 'invalid_grant'])
    expect(await isGood(first.body.access_token)).toBe(false)
    expect((await refresh(first.body.refresh_token)).status).toBe(400)
  })

  test('used twice at once leaves nobody with a token', async () => {
    const code = await stack.obtainCode({
      client,
      scope: standalone,
      actor: wren,
      patientId: 'pt-wren-testwell',
    })
    const answers = await Promise.all(
      [1, 2, 3].map(() => stack.exchange(code, client, { change: noClientId, ...withSecret() })),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [given] = answers.filter(({ status }) => status === 200)
    expect(await isGood(given?.body.access_token)).toBe(false)
  })

  test('of one app, redirect address or practice is worth nothing to another', async () => {
    const obtain = () =>
      stack.obtainCode({ client, scope: standalone, actor: wren, patientId: 'pt-wren-testwell' })
    const answers = [
      await stack.exchange(await obtain(), publicApp),
      await stack.exchange(await obtain(), client, {
        change: { ...noClientId, redirect_uri: 'https://app.example/other' },
        ...withSecret(),
      }),
      await stack.exchange(await obtain(), client, {
        change: noClientId,
        practice: 'sandbox-template',
        ...withSecret(),
      }),
    ]

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
      answers.map(() => [400, 'invalid_grant']),
    )
  })

  test('lives five minutes', async () => {
    const code = await stack.obtainCode({
      client,
      scope: standalone,
      actor: wren,
      patientId: 'pt-wren-testwell',
    })
    stack.services.advance(300_000)

    expect((await stack.exchange(code, client, { change: noClientId, ...withSecret() })).status).toBe(400)
  })
})

describe('clients', () => {
  test('without a secret name themselves in the form', async () => {
    const code = await stack.obtainCode({
      client: publicApp,
      scope: standalone,
      actor: wren,
      patientId: 'pt-wren-testwell',
    })

    expect((await stack.exchange(code, publicApp)).status).toBe(200)
  })

  test('with a secret prove it by Basic, and by nothing less', async () => {
    const ask = (form: Record<string, string>, headers = {}) =>
      stack.post('token', { grant_type: 'refresh_token', refresh_token: 'x', ...form }, { headers })
    const answers = [
      await ask({ client_id: client.clientId }),
      await ask({ client_id: client.clientId, client_secret: secret }),
      await ask({}, { authorization: basic(client.clientId, `sps_${'a'.repeat(43)}`) }),
      await ask({}, { authorization: basic(publicApp.clientId, secret) }),
      await ask({}, { authorization: 'Basic %%%' }),
    ]

    for (const { status, body, headers } of answers) {
      expect([status, body.error]).toEqual([401, 'invalid_client'])
      expect(headers.get('cache-control')).toContain('no-store')
    }
    expect(answers.map(({ text }) => text).every((text) => text === answers[0]?.text)).toBe(true)
    expect(answers[2]?.headers.get('www-authenticate')).toContain('Basic')
    expect((await ask({}, { authorization: basic(client.clientId, secret) })).status).toBe(400)
  })

  test('with a key sign at the exchange and at every refresh', async () => {
    const key = await makeAssertionKey('RS384')
    const { client: signing } = await stack.createClient({
      scope: patientApp,
      authentication: 'private_key_jwt',
      jwks: { keys: [key.publicJwk as Record<string, unknown>] },
    })
    const sign = async () => ({
      client_id: undefined,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signAssertion({
        key,
        clientId: signing.clientId,
        audience: stack.at('token'),
        now: stack.services.clock(),
      }),
    })
    const code = await stack.obtainCode({
      client: signing,
      scope: standalone,
      actor: wren,
      patientId: 'pt-wren-testwell',
    })

    const exchanged = await stack.exchange(code, signing, { change: await sign() })
    const refreshed = await stack.post('token', {
      grant_type: 'refresh_token',
      refresh_token: exchanged.body.refresh_token,
      ...(await sign()),
    })

    expect([exchanged.status, refreshed.status]).toEqual([200, 200])
  })
})

describe('a refresh token', () => {
  test('gives another access token with scopes no wider, and is replaced', async () => {
    const { body } = await launch()
    const answer = await refresh(body.refresh_token, { scope: body.scope })
    const narrower = await refresh(answer.body.refresh_token, { scope: 'launch/patient patient/Patient.rs' })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('pragma')).toContain('no-cache')
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, patient: 'pt-wren-testwell' })
    expect(new Set(answer.body.scope.split(' '))).toEqual(new Set(body.scope.split(' ')))
    expect(answer.body.refresh_token).not.toBe(body.refresh_token)
    expect(narrower.body.scope).toBe('launch/patient patient/Patient.rs')
    expect(await isGood(narrower.body.access_token)).toBe(true)
    // The next one may be as wide as before.
    const wide = await refresh(narrower.body.refresh_token)
    expect(new Set(wide.body.scope.split(' '))).toEqual(new Set(body.scope.split(' ')))
  })

  test('gives nothing wider than was granted', async () => {
    const { body } = await launch('launch/patient offline_access patient/Patient.rs')
    const answer = await refresh(body.refresh_token, { scope: 'patient/Patient.rs patient/Observation.rs' })

    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_scope'])
  })

  test('that is unknown gets 400', async () => {
    expect((await refresh('not-a-refresh-token')).status).toBe(400)
    expect((await refresh(`spr_${'a'.repeat(43)}`)).status).toBe(400)
  })

  test('repeated within seconds is refused and ends nothing; later it ends the whole grant', async () => {
    const { body } = await launch()
    const next = await refresh(body.refresh_token)
    stack.services.advance(30_000)

    const repeated = await refresh(body.refresh_token)
    expect([repeated.status, repeated.body.error]).toEqual([400, 'invalid_grant'])
    expect(await isGood(next.body.access_token)).toBe(true)

    stack.services.advance(1)
    expect((await refresh(body.refresh_token)).status).toBe(400)
    expect(await isGood(next.body.access_token)).toBe(false)
    expect((await refresh(next.body.refresh_token)).status).toBe(400)
  })

  test('sent twice at once is answered once, and the grant lives', async () => {
    const { body } = await launch()
    const answers = await Promise.all([1, 2, 3].map(() => refresh(body.refresh_token)))

    const served = answers.filter(({ status }) => status === 200)
    expect(served).toHaveLength(1)
    expect(await isGood(served[0]?.body.access_token)).toBe(true)
  })

  test('lives 100 days from its last use', async () => {
    const { body } = await launch()
    stack.services.advance(100 * 86_400_000 - 1_000)
    const next = await refresh(body.refresh_token)
    stack.services.advance(100 * 86_400_000)
    const late = await refresh(next.body.refresh_token)

    expect([next.status, late.status]).toEqual([200, 400])
  })

  test('of online_access ends with the sign-in it came from', async () => {
    const account = await stack.services.prisma.account.findUniqueOrThrow({ where: { id: wren.accountId } })
    const { session } = await stack.services.sessions.start({
      accountId: account.id,
      realm: 'patient',
      ip: '192.0.2.1',
      userAgent: 'test',
    })
    const actor = { ...wren, sessionId: session.id }
    const scope = 'launch/patient online_access patient/Patient.rs'
    const code = await stack.obtainCode({ client, scope, actor, patientId: 'pt-wren-testwell' })
    const { body } = await stack.exchange(code, client, { change: noClientId, ...withSecret() })

    const during = await refresh(body.refresh_token)
    await stack.services.sessions.end(session)

    expect(during.status).toBe(200)
    expect((await refresh(during.body.refresh_token)).status).toBe(400)
  })

  test('gives nothing once the person is no longer there', async () => {
    const person = await stack.createPatientPerson(practiceId, 'pt-wren-testwell')
    const scope = 'launch/patient offline_access patient/Patient.rs'
    const code = await stack.obtainCode({ client, scope, actor: person, patientId: 'pt-wren-testwell' })
    const { body } = await stack.exchange(code, client, { change: noClientId, ...withSecret() })
    await stack.services.prisma.patientLogin.deleteMany({ where: { accountId: person.accountId } })

    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('a launch from the EHR', () => {
  const scope = 'openid fhirUser launch offline_access user/Patient.rs user/Encounter.rs user/Observation.rs'

  async function prepare() {
    const { client: app } = await stack.createClient({
      scope: `${scope} launch/encounter`,
      audience: 'clinician',
      launchUrl: 'https://app.example/launch',
    })
    const ines = await stack.createClinician(practiceId, 'pr-ines-placeholder')
    const { datasetId } = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { id: practiceId },
    })
    const { rows } = await stack.services.pool.query<{ id: string; patient: string }>(
      `SELECT id, content::jsonb -> 'subject' ->> 'reference' AS patient FROM clinical.resource
       WHERE dataset_id = $1 AND content LIKE '%"resourceType":"Encounter"%' LIMIT 1`,
      [datasetId],
    )
    const encounter = rows[0] as { id: string; patient: string }
    const patientId = encounter.patient.replace('Patient/', '')
    const context = { practiceId, clientId: app.clientId, patientId, encounterId: encounter.id }
    return { app, ines, context }
  }

  test('tells the app whose record is open, with banner and style', async () => {
    const { app, ines, context } = await prepare()
    const launched = await stack.services.launches.create(
      { ...context, intent: 'reconcile-medications' },
      ines,
    )
    const authorize = { client: app, scope, change: { launch: launched.launch } }
    const answer = await stack.authorize(authorize)
    const back = await stack.decide(answer, ines)
    const { body } = await stack.exchange(back.searchParams.get('code') ?? '', app)

    expect(launched.url).toContain('https://app.example/launch?iss=')
    expect(body).toMatchObject({
      patient: context.patientId,
      encounter: context.encounterId,
      need_patient_banner: true,
      intent: 'reconcile-medications',
    })
    expect(new Set(body.scope.split(' '))).toEqual(new Set(scope.split(' ')))
    const style = await stack.send(body.smart_style_url)
    expect([style.status, typeof style.body]).toEqual([200, 'object'])
    // Good once.
    const again = await stack.authorize(authorize)
    expect(new URL(again.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request')
  })

  test('is refused after ten minutes, to another app, and to another clinician', async () => {
    const { app, ines, context } = await prepare()
    const other = await prepare()
    const make = async () => (await stack.services.launches.create(context, ines)).launch
    const errorOf = async (client: RegisteredClient, launch: string) => {
      const answer = await stack.authorize({ client, scope, change: { launch } })
      return new URL(answer.headers.get('location') ?? '').searchParams.get('error')
    }
    const colleague = await stack.createClinician(practiceId, 'pr-someone-else')
    const mine = await stack.authorize({ client: app, scope, change: { launch: await make() } })
    const late = await make()

    expect(await errorOf(other.app, await make())).toBe('invalid_request')
    expect(await errorOf(app, 'spl_unknown')).toBe('invalid_request')
    expect(await stack.services.authorizations.eligibility(stack.handleOf(mine), colleague)).toEqual({
      kind: 'other_clinician',
    })
    stack.services.advance(600_000)
    expect(await errorOf(app, late)).toBe('invalid_request')
  })

  test('is made by clinicians of the practice only, for what the practice has', async () => {
    const { context } = await prepare()
    const harbor = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'harbor-family' },
    })
    const { ines } = await prepare()
    const kindOf = (input: object, actor: Actor) =>
      stack.services.launches.create({ ...context, ...input }, actor).then(
        () => 'made',
        (problem) => problem.kind,
      )

    expect(await kindOf({}, wren)).toBe('not_found')
    expect(await kindOf({}, await stack.createClinician(harbor.id, 'pr-x'))).toBe('not_found')
    expect(await kindOf({ patientId: 'pt-no-such' }, ines)).toBe('not_found')
    expect(await kindOf({ patientId: 'pt-juno-testwell' }, ines)).toBe('validation')
  })

  test('without a patient lets the clinician choose one, found by name', async () => {
    const { client: app } = await stack.createClient({
      scope: 'launch/patient patient/Patient.rs',
      audience: 'clinician',
    })
    const ines = await stack.createClinician(practiceId, 'pr-ines-placeholder')
    const answer = await stack.authorize({ client: app, scope: 'launch/patient patient/Patient.rs' })
    const handle = stack.handleOf(answer)
    const { authorizations } = stack.services

    expect(await authorizations.get(handle)).toMatchObject({ realm: 'practice', needsPatientChoice: true })
    const found = await authorizations.searchPatients(handle, ines, { q: 'wren', limit: 5 })
    expect(found).toMatchObject([{ patientId: 'pt-wren-testwell', relationship: null }])
    expect(await authorizations.searchPatients(handle, wren, { q: 'wren', limit: 5 })).toEqual([])
    const back = await stack.decide(answer, ines, { patientId: 'pt-wren-testwell' })
    const { body } = await stack.exchange(back.searchParams.get('code') ?? '', app)
    expect(body.patient).toBe('pt-wren-testwell')
  })
})

describe('introspection and revocation', () => {
  const ask = (token: string) => stack.post('introspect', { token }, withSecret())

  test('tells an app what its own token is worth', async () => {
    const { body: given } = await launch()
    const { status, body } = await ask(given.access_token)
    const base = stack.services.addresses.fhirBase(demonstration)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      active: true,
      client_id: client.clientId,
      scope: given.scope,
      patient: 'pt-wren-testwell',
      iss: base,
      sub: wren.accountId,
      fhirUser: `${base}/Patient/pt-wren-testwell`,
    })
    expect(body.exp).toBe(Math.floor(stack.services.clock().getTime() / 1000) + 3600)
  })

  test('says nothing but no of tokens that are bad, or another app’s; nothing at all to who proves nothing', async () => {
    const code = await stack.obtainCode({
      client: publicApp,
      scope: standalone,
      actor: wren,
      patientId: 'pt-wren-testwell',
    })
    const { body: others } = await stack.exchange(code, publicApp)

    for (const token of ['INVALID_TOKEN', `spa_${'a'.repeat(43)}`, others.access_token])
      expect((await ask(token)).body).toEqual({ active: false })
    const naked = await stack.post('introspect', {
      token: others.access_token,
      client_id: publicApp.clientId,
    })
    expect([naked.status, naked.body.error]).toEqual([401, 'invalid_client'])
  })

  test('a resource server may ask about every token of the practice', async () => {
    const { client: server, secret: key } = await stack.createClient({
      scope: 'openid patient/Patient.rs',
      authentication: 'client_secret_basic',
      introspectsAll: true,
    })
    const { body: given } = await launch()
    const headers = { authorization: basic(server.clientId, key ?? '') }

    const answer = await stack.post('introspect', { token: given.access_token }, { headers })

    expect(answer.body).toMatchObject({ active: true, client_id: client.clientId })
  })

  test('an app gives its tokens up: from then on none of the grant is good', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { body: given } = await launch()
      const answer = await stack.post('revoke', { token: given[kind] }, withSecret())

      expect(answer.status).toBe(200)
      expect(await isGood(given.access_token)).toBe(false)
      expect((await refresh(given.refresh_token)).status).toBe(400)
      expect((await ask(given.access_token)).body).toEqual({ active: false })
    }
  })

  test('giving up a token that is unknown or another app’s changes nothing and tells nothing', async () => {
    const { body: given } = await launch()
    const answers = [
      await stack.post('revoke', { token: given.access_token, client_id: publicApp.clientId }),
      await stack.post('revoke', { token: 'no-such', client_id: publicApp.clientId }),
    ]

    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ])
    expect(await isGood(given.access_token)).toBe(true)
  })

  test('a person ends what they allowed; nobody else’s', async () => {
    const { body: given } = await launch()
    const { services } = stack
    const apps = await services.grants.listForAccount(wren.accountId)
    const stranger = await stack.createPatientPerson(practiceId, 'pt-marlo-testwell')
    const grantId = apps[0]?.grantId ?? ''

    expect(apps[0]).toMatchObject({ client: { clientId: client.clientId }, offline: true })
    await expect(services.grants.revoke(grantId, stranger)).rejects.toMatchObject({ kind: 'not_found' })
    expect(await services.grants.revoke(grantId, wren)).toEqual({ kind: 'revoked' })
    expect(await services.grants.revoke(grantId, wren)).toEqual({ kind: 'already_ended' })
    expect(await isGood(given.access_token)).toBe(false)
    expect((await refresh(given.refresh_token)).status).toBe(400)
  })
})
