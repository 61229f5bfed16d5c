/** Codes, the ways an app says who it is, and refresh. */
import { describe, expect, test } from 'vitest'
import { makeAssertionKey, signAssertion } from '../support/assertion.ts'
import { basic } from '../support/smart-http.ts'
import { noClientId, personStack } from '../support/smart-person.ts'

const {
  stack,
  practiceId,
  wren,
  client,
  withSecret,
  secret,
  publicApp,
  patientApp,
  launch,
  refresh,
  isGood,
  codeFor,
  redeem,
} = await personStack()

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
      const code = await codeFor()
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
    const code = await codeFor()
    const first = await redeem(code)
    const second = await redeem(code)

    expect([first.status, second.status, second.body.error]).toEqual([200, 400, 'invalid_grant'])
    expect(await isGood(first.body.access_token)).toBe(false)
    expect((await refresh(first.body.refresh_token)).status).toBe(400)
  })

  test('used twice at once leaves nobody with a token', async () => {
    const code = await codeFor()
    const answers = await Promise.all([1, 2, 3].map(() => redeem(code)))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [given] = answers.filter(({ status }) => status === 200)
    expect(await isGood(given?.body.access_token)).toBe(false)
  })

  test('of one app, redirect address or practice is worth nothing to another', async () => {
    const obtain = () => codeFor()
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
    const code = await codeFor()
    stack.services.advance(300_000)

    expect((await redeem(code)).status).toBe(400)
  })
})

describe('clients', () => {
  test('without a secret name themselves in the form', async () => {
    const code = await codeFor(publicApp)

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
    const code = await codeFor(signing)

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
  test('names the public app that has it; an app with credentials gives them all the same', async () => {
    const refreshAlone = async (app: typeof client, options = {}) => {
      const code = await codeFor(app, patientApp)
      const { body } = await stack.exchange(code, app, options)
      return stack.post('token', { grant_type: 'refresh_token', refresh_token: body.refresh_token })
    }
    const served = await refreshAlone(publicApp)
    const refused = await refreshAlone(client, { change: noClientId, ...withSecret() })
    const unknown = await stack.post('token', {
      grant_type: 'refresh_token',
      refresh_token: `spr_${'a'.repeat(43)}`,
    })

    expect([served.status, served.body.access_token]).toEqual([200, expect.stringMatching(/^spa_/)])
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client'])
  })

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
    const { body } = await redeem(code)

    const during = await refresh(body.refresh_token)
    await stack.services.sessions.endOne({ accountId: account.id, sessionId: session.id })

    expect(during.status).toBe(200)
    expect((await refresh(during.body.refresh_token)).status).toBe(400)
  })

  test('gives nothing once the person is no longer there', async () => {
    const person = await stack.createPatientPerson(practiceId, 'pt-wren-testwell')
    const scope = 'launch/patient offline_access patient/Patient.rs'
    const code = await stack.obtainCode({ client, scope, actor: person, patientId: 'pt-wren-testwell' })
    const { body } = await redeem(code)
    await stack.services.prisma.patientLogin.deleteMany({ where: { accountId: person.accountId } })

    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant')
  })
})
