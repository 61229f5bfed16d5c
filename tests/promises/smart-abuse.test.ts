/** What the authorization server refuses, and that a refusal tells nothing and leads nowhere it should not. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { demonstration, redirectUri } from '../support/smart.ts'
import { basic, expectPage, smartStack } from '../support/smart-http.ts'

const scope = 'openid fhirUser launch/patient patient/Patient.rs'

const stack = await smartStack()
const client = (
  await stack.createClient({
    scope,
    redirectUris: [
      redirectUri,
      'https://app.example/query?tenant=1',
      'http://127.0.0.1/native',
      'com.example.app:/back',
    ],
  })
).client

describe('a redirect', () => {
  const unregistered = [
    'https://evil.example/callback',
    'https://app.example/callback/',
    'https://app.example/callback?x=1',
    'https://app.example/callback#frag',
    'https://app.example/Callback',
    'https://app.example:8443/callback',
    'http://app.example/callback',
    'https://app.example.evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://evil.example\\@app.example/callback',
    '//evil.example/callback',
    'javascript:alert(1)//https://app.example/callback',
    'data:text/html,x',
    'https://app.example/callback/../../evil',
    'https://app.example/callback%0d%0aLocation:%20https://evil.example',
    'https://app.example/callback\r\nLocation: https://evil.example',
    'http://127.0.0.1.evil.example/native',
    'http://127.0.0.1:99999999/native',
    'http://127.0.0.1@evil.example/native',
    'http://localhost/native',
    'com.example.app:/other',
    'COM.EXAMPLE.APP:/back',
    ' https://app.example/callback',
  ]

  test.each(unregistered)('to %j is never made', async (redirect_uri) => {
    // Everything else is wrong as well: what is looked at later must not redirect either.
    expectPage(await stack.authorize({ client, scope, change: { redirect_uri } }))
    expectPage(
      await stack.authorize({ client, scope, change: { redirect_uri, response_type: 'token', aud: 'x' } }),
    )
  })

  test('needs an app and an address', async () => {
    for (const change of [
      { redirect_uri: undefined },
      { client_id: undefined },
      { client_id: 'no-such-app' },
      { client_id: `${client.clientId}x` },
    ])
      expectPage(await stack.authorize({ client, scope, change }))
  })

  test('is not made either to what is registered, letter for letter, on any port of this machine: a link is', async () => {
    for (const redirect_uri of [
      'http://127.0.0.1:49152/native',
      'com.example.app:/back',
      'https://app.example/query?tenant=1',
    ]) {
      const answer = await stack.authorize({
        client,
        scope,
        change: { redirect_uri, response_type: 'token' },
      })
      const { href } = stack.linkBackOf(answer) ?? { href: '' }
      expect(href.startsWith(`${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}error=`)).toBe(true)
    }
  })

  test('of an app that is suspended is not made either', async () => {
    const { client: paused } = await stack.createClient({ scope })
    const { prisma, clock } = stack.services
    await prisma.client.update({ where: { id: paused.clientId }, data: { suspendedAt: clock() } })

    expectPage(await stack.authorize({ client: paused, scope }))
  })
})

test('a sandbox app is unknown at a production practice, and the other way round', async () => {
  const { client: production } = await stack.createClient({ scope, environment: 'production' })

  expectPage(await stack.authorize({ client, scope, practice: 'harbor-family' }))
  expectPage(await stack.authorize({ client: production, scope }))
  const wrong = await stack.exchange('x', client, { practice: 'harbor-family' })
  const unknown = await stack.exchange('x', client, { change: { client_id: 'no-such-app' } })
  expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
})

test('a practice that does not exist is a page for people and an error for programs', async () => {
  expectPage(await stack.authorize({ client, scope, practice: 'no-such' }), 404)
  expectPage(await stack.authorize({ client, scope, practice: 'Robert%27);--' }), 404)
  const answer = await stack.exchange('x', client, { practice: 'no-such' })
  expect([answer.status, answer.body.error]).toEqual([404, 'invalid_request'])
})

describe('parameters', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const token = (body: BodyInit, headers: Record<string, string> = form) =>
    stack.send(stack.at('token'), { method: 'POST', body, headers })
  const authorizeUrl = () => stack.services.addresses.authorize(demonstration)

  test('sent twice are refused, wherever and whatever', async () => {
    const names = ['client_id', 'redirect_uri', 'scope', 'state', 'aud', 'code_challenge', 'anything']
    for (const name of names) {
      const query = `client_id=${client.clientId}&redirect_uri=${encodeURIComponent(redirectUri)}&${name}=1&${name}=2`
      expectPage(await stack.send(`${authorizeUrl()}?${query}`))
    }
    for (const name of ['grant_type', 'code', 'client_id', 'token', 'scope']) {
      const answer = await token(`grant_type=authorization_code&${name}=1&${name}=2`)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    }
  })

  test('of 100 kB are refused with 400, in the query and in the form', async () => {
    const long = 'a'.repeat(100_000)
    for (const name of ['scope', 'state', 'client_id', 'redirect_uri', 'launch', 'code_challenge']) {
      const text = new URLSearchParams({
        client_id: client.clientId,
        redirect_uri: redirectUri,
        [name]: long,
      })
      expectPage(await stack.send(`${authorizeUrl()}?${text}`))
      expectPage(await stack.send(authorizeUrl(), { method: 'POST', body: String(text), headers: form }))
    }
    for (const name of ['grant_type', 'code', 'client_id', 'client_assertion', 'refresh_token', 'scope']) {
      const answer = await token(`grant_type=refresh_token&${name}x=${long}`)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    }
  })

  test('in another form than a form are refused with 400', async () => {
    const answers = [
      await token('{"grant_type":"authorization_code"}', { 'content-type': 'application/json' }),
      await token(new Uint8Array([0xff, 0xfe, 0x3d])),
      await token('grant_type=authorization_code&code=%00', form),
      await token('', {}),
      await token('', form),
    ]

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
      answers.map(() => [400, 'invalid_request']),
    )
  })

  test('of any kind never break anything', async () => {
    const names = fc.constantFrom(
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'aud',
      'launch',
      'response_type',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'prompt',
      'grant_type',
      'code',
      'refresh_token',
      'client_assertion',
      'client_assertion_type',
      'token',
      '__proto__',
      'constructor',
    )
    const known = fc.constantFrom(
      client.clientId,
      redirectUri,
      scope,
      'code',
      'S256',
      'authorization_code',
      'refresh_token',
      'client_credentials',
    )
    const values = fc.oneof(known, fc.string({ unit: 'binary', maxLength: 60 }), fc.webUrl())
    const requests = fc.dictionary(names, values, { maxKeys: 12, noNullPrototype: true })

    await fc.assert(
      fc.asyncProperty(requests, fc.ipV4(), async (parameters, ip) => {
        const text = new URLSearchParams(Object.entries(parameters)).toString()
        const page = await stack.send(`${authorizeUrl()}?${text}`, { ip })
        const answers = await Promise.all(
          ['token', 'introspect', 'revoke'].map((path) =>
            stack.send(stack.at(path), { method: 'POST', body: text, headers: form, ip }),
          ),
        )
        expect([303, 400]).toContain(page.status)
        if (page.status === 303)
          expect(page.headers.get('location')).toMatch(/^https:\/\/portal\.example\/authorize\//)
        expect(stack.linkBackOf(page)?.href ?? redirectUri).toMatch(/^https:\/\/app\.example\/callback/)
        for (const answer of answers) {
          expect([400, 401]).toContain(answer.status)
          expect(answer.body.error).toMatch(/^[a-z_]+$/)
          expect(answer.headers.get('cache-control')).toContain('no-store')
        }
      }),
      { numRuns: 25, seed: 42 },
    )
  })

  test('are not echoed by any page or error', async () => {
    const planted = 'pl4nted<script>'
    const answers = [
      await stack.authorize({ client, scope, change: { client_id: planted } }),
      await stack.authorize({ client, scope, change: { redirect_uri: `https://${planted}` } }),
      await stack.authorize({ client, scope, change: { scope: planted } }),
      await stack.exchange(planted, client, { change: { client_id: planted, scope: planted } }),
    ]

    for (const { text, headers } of answers)
      expect(`${text} ${decodeURIComponent(headers.get('location') ?? '')}`).not.toContain('pl4nted')
  })
})

test('grant types that are missing, unknown, or not for this app are refused with 400', async () => {
  const errors = []
  for (const grant_type of [undefined, '', 'password', 'implicit', '__proto__', 'constructor'])
    errors.push(await stack.post('token', { grant_type, client_id: client.clientId }))
  const forBackends = await stack.post('token', {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    scope: 'system/*.rs',
  })

  expect(errors.map(({ status, body }) => `${status} ${body.error}`)).toEqual([
    '400 invalid_request',
    '400 invalid_request',
    '400 unsupported_grant_type',
    '400 unsupported_grant_type',
    '400 unsupported_grant_type',
    '400 unsupported_grant_type',
  ])
  expect([forBackends.status, forBackends.body.error]).toEqual([400, 'unauthorized_client'])
})

test('one way of authenticating is enough, and two are refused', async () => {
  const { client: confidential, secret } = await stack.createClient({
    scope,
    authentication: 'client_secret_basic',
  })
  const headers = { authorization: basic(confidential.clientId, secret ?? '') }
  const ask = (form: Record<string, string | undefined>) =>
    stack.post('token', { grant_type: 'refresh_token', refresh_token: 'x', ...form }, { headers })

  const twice: Record<string, string>[] = [
    { client_id: client.clientId },
    { client_secret: secret ?? '' },
    { client_assertion: 'x', client_assertion_type: 'x' },
  ]
  for (const form of twice) {
    const { status, body } = await ask(form)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  }
})

test('a preflight of a browser app is answered, and other methods are not', async () => {
  const preflight = await stack.send(stack.at('token'), { method: 'OPTIONS' })
  const get = await stack.send(stack.at('token'))

  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
  expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
  expect([get.status, get.body.error]).toEqual([405, 'invalid_request'])
})

test('an address that keeps failing has to wait; an app that authenticates there has not', async () => {
  const ask = (ip: string) =>
    stack.post('token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'no-such' }, { ip })
  const statuses: number[] = []
  for (let tries = 0; tries < 21; tries++) statuses.push((await ask('198.51.100.7')).status)
  const good = await stack.post(
    'token',
    { grant_type: 'refresh_token', refresh_token: 'x', client_id: client.clientId },
    { ip: '198.51.100.7' },
  )

  expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true)
  expect(statuses[20]).toBe(429)
  // The app is who it says it is; only its refresh token is none.
  expect([good.status, good.body.error]).toEqual([400, 'invalid_grant'])
  const refused = await ask('198.51.100.7')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable'])
  expect((await ask('198.51.100.8')).status).toBe(401)
})
