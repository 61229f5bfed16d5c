/** An independent client, openid-client, against the server on a real port. */
import { serve } from '@hono/node-server'
import * as oidc from 'openid-client'
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { createApp } from '../../server/app.ts'
import { type AssertionKey, makeAssertionKey } from '../support/assertion.ts'
import { testServices } from '../support/services.ts'
import { demonstration, redirectUri, smartSupport } from '../support/smart.ts'

const scope = 'openid fhirUser launch/patient offline_access patient/*.rs'

let server: ReturnType<typeof serve>

const port = await findFreePort()
const services = await testServices({ environment: { PUBLIC_ORIGIN: `http://127.0.0.1:${port}` } })
const support = smartSupport(services)
const app = createApp(services)
await new Promise((resolve) => {
  server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, resolve)
})
const issuer = services.addresses.fhirBase(demonstration)
const { id } = await services.prisma.practice.findUniqueOrThrow({ where: { slug: demonstration } })
const wren = await support.createPatientPerson(id, 'pt-wren-testwell')
const clockSkew = Math.round((services.clock().getTime() - Date.now()) / 1000)

afterAll(() => new Promise((resolve) => server.close(resolve)))

function discover(clientId: string, authentication: oidc.ClientAuth) {
  return oidc.discovery(new URL(issuer), clientId, { [oidc.clockSkew]: clockSkew }, authentication, {
    execute: [oidc.allowInsecureRequests],
  })
}

async function signIn(config: oidc.Configuration) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()]
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    aud: issuer,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return oidc.authorizationCodeGrant(config, await support.walk(url, wren), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    idTokenExpected: true,
  })
}

/** With the library's own defaults: its assertions name the issuer. */
function signing({ privateKey, kid }: AssertionKey): oidc.ClientAuth {
  return oidc.PrivateKeyJwt({ key: privateKey, kid })
}

test('a confidential app discovers, signs a person in, refreshes, introspects and revokes', async () => {
  const { client, secret } = await support.createClient({ scope, authentication: 'client_secret_basic' })
  const config = await discover(client.clientId, oidc.ClientSecretBasic(secret ?? ''))

  const tokens = await signIn(config)
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, patient: 'pt-wren-testwell' })
  expect(tokens.claims()).toMatchObject({
    iss: issuer,
    aud: client.clientId,
    fhirUser: `${issuer}/Patient/pt-wren-testwell`,
  })

  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect(refreshed.claims()?.sub).toBe(tokens.claims()?.sub)

  expect(await oidc.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
    active: true,
    client_id: client.clientId,
    sub: tokens.claims()?.sub,
  })
  await oidc.tokenRevocation(config, refreshed.refresh_token ?? '')
  expect(await oidc.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
  await expect(oidc.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
    status: 400,
  })
})

test('a public app signs a person in with PKCE alone', async () => {
  const { client } = await support.createClient({ scope })

  const tokens = await signIn(await discover(client.clientId, oidc.None()))

  expect(tokens.claims()?.aud).toBe(client.clientId)
  expect((await services.smartTokens.authenticate(`Bearer ${tokens.access_token}`)).kind).toBe('principal')
})

test.each(['RS384', 'ES384'] as const)(
  'an app that signs with %s does so at exchange and refresh',
  async (alg) => {
    const key = await makeAssertionKey(alg)
    const { client } = await support.createClient({
      scope,
      authentication: 'private_key_jwt',
      jwks: { keys: [{ ...key.publicJwk }] },
    })
    const config = await discover(client.clientId, signing(key))

    const tokens = await signIn(config)
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')

    expect(refreshed.access_token).not.toBe(tokens.access_token)
  },
)

test.each(['RS384', 'ES384'] as const)(
  'a backend system gets a token for an assertion in %s',
  async (alg) => {
    const key = await makeAssertionKey(alg)
    const { client } = await support.createSystem({
      scope: 'system/*.rs',
      client: { jwks: { keys: [{ ...key.publicJwk }] } },
    })
    const config = await discover(client.clientId, signing(key))

    const tokens = await oidc.clientCredentialsGrant(config, { scope: 'system/*.rs' })

    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 300, scope: 'system/*.rs' })
    expect(tokens.refresh_token).toBeUndefined()
  },
)
