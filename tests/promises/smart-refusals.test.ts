/** What a refused authorize request shows to a person, and when it links to the app. */
import { describe, expect, test } from 'vitest'
import type { RegisteredClient } from '../../server/domain/clients/registrations.ts'
import { type AssertionKey, makeAssertionKey, signAssertion } from '../support/assertion.ts'
import { demonstration, redirectUri } from '../support/smart.ts'
import { expectPage, type SmartAnswer, smartStack } from '../support/smart-http.ts'
import { createTeams } from '../support/team.ts'

const scope = 'openid fhirUser launch/patient patient/Patient.rs'

const stack = await smartStack()
const client = (await stack.createClient({ scope, redirectUris: [redirectUri, 'com.example.app:/back'] }))
  .client

/** What the page of a refusal lets a person take back to the app; everything else is as {@link expectPage} says. */
function errorOf(answer: SmartAnswer) {
  expect([answer.status, answer.headers.get('location')]).toEqual([expect.any(Number), null])
  const link = stack.linkBackOf(answer)
  return link && { to: `${link.origin}${link.pathname}`, error: link.searchParams.get('error') }
}

describe('what the app got wrong is shown to the person, with a link that takes it to the app', () => {
  const wrong: [string, Record<string, string | undefined>, string][] = [
    ['no response_type', { response_type: undefined }, 'unsupported_response_type'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['a response in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['no state', { state: undefined }, 'invalid_request'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['no aud', { aud: undefined }, 'invalid_request'],
    ['the aud of another practice', { aud: 'https://portal.example/r4/harbor-family' }, 'invalid_request'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['prompt=none', { prompt: 'none' }, 'interaction_required'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['scopes that no scope may be', { scope: 'patient/Patient.rs "' }, 'invalid_scope'],
    ['system scopes', { scope: 'system/*.rs' }, 'invalid_scope'],
    ['scopes it is not registered for', { scope: 'patient/Observation.rs' }, 'invalid_scope'],
    ['a launch without its scope', { launch: 'spl_x' }, 'invalid_scope'],
  ]

  test.each(wrong)('%s', async (_, change, error) => {
    const answer = await stack.authorize({ client, scope, change })

    // Nobody has signed in yet: the browser goes nowhere by itself.
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.text).not.toMatch(/<form|<script|http-equiv/)
    expect(answer.text).toContain('Go back to app.example')
    expect(errorOf(answer)).toEqual({ to: redirectUri, error })
    const { searchParams } = stack.linkBackOf(answer) as URL
    expect(searchParams.get('state')).toBe('state' in change ? null : 'a state, with spaces & signs')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('an app on the person’s own device is named by its scheme', async () => {
    const change = { redirect_uri: 'com.example.app:/back', response_type: 'token' }
    const answer = await stack.authorize({ client, scope, change })

    expect(answer.text).toContain('Go back to the app on this device (com.example.app)')
  })
})

describe('an app that the practice does not let in gets no link, whatever its request', () => {
  /** Right, and wrong in ways that are looked at later. */
  const requests = [{}, { response_type: 'token' }, { aud: 'x' }, { scope: 'nonsense' }, { state: undefined }]
  const expectNoWay = async (from: RegisteredClient, practice: string, status: number) => {
    for (const change of requests)
      expectPage(await stack.authorize({ client: from, scope, practice, change }), status)
  }
  const isLetIn = async (from: RegisteredClient, practice: string) =>
    (await stack.authorize({ client: from, scope, practice })).status === 303

  test('at a practice that is not enabled, suspended, or lets no such apps in', async () => {
    const { client: production } = await stack.createClient({ scope, environment: 'production' })
    const { prisma } = stack.services
    const set = (fhirAudiences: ('patient' | 'backend')[]) =>
      prisma.practice.update({ where: { slug: 'juniper-point' }, data: { fhirAudiences } })

    await expectNoWay(production, 'cedar-hollow', 403)
    await expectNoWay(production, 'old-quay', 403)
    await set(['backend'])
    await expectNoWay(production, 'juniper-point', 403)
    await set(['patient', 'backend'])
    expect(await isLetIn(production, 'juniper-point')).toBe(true)
  })

  test('where it is not enabled, until it is', async () => {
    const { client: elsewhere } = await stack.createClient({ scope, everyPractice: false })
    const { prisma, clients } = stack.services
    const practice = await prisma.practice.findUniqueOrThrow({ where: { slug: demonstration } })
    const at = { clientId: elsewhere.clientId, practiceId: practice.id }

    await expectNoWay(elsewhere, demonstration, 400)
    await clients.enableAt(at, null)
    expect(await isLetIn(elsewhere, demonstration)).toBe(true)
    await prisma.clientPractice.deleteMany({ where: at })
    await expectNoWay(elsewhere, demonstration, 400)
  })

  test('and neither does a backend system', async () => {
    const { client: backend } = await stack.createClient({ scope: 'system/*.rs', audience: 'backend' })

    expectPage(await stack.authorize({ client: backend, scope }))
  })
})

describe('an app that its own organization’s sandbox accepts is told that base', () => {
  async function makeOrganization() {
    const { services } = stack
    const owner = await createTeams(() => services).makeTeam()
    const { slug } = await services.sandboxes.ensure(owner.organizationId, { writable: false })
    return { organizationId: owner.organizationId, base: services.addresses.fhirBase(slug), slug }
  }
  const own = { everyPractice: false, scope } as const

  test('on the page of the authorize address, at another practice, without a link', async () => {
    const { organizationId, base, slug } = await makeOrganization()
    const other = await makeOrganization()
    const { client: app } = await stack.createClient({ ...own, organizationId })

    for (const practice of [demonstration, other.slug]) {
      const answer = await stack.authorize({ client: app, scope, practice })
      expectPage(answer, 400)
      expect(answer.text).toContain(`This app works at this FHIR base: <code>${base}</code>`)
      expect(answer.text).not.toContain(other.base)
    }
    expect((await stack.authorize({ client: app, scope, practice: slug })).status).toBe(303)
  })

  test('only a request that brings a redirect URI of the app hears of it', async () => {
    const { organizationId, base } = await makeOrganization()
    const { client: app } = await stack.createClient({ ...own, organizationId })

    for (const change of [{ redirect_uri: 'https://elsewhere.example/' }, { redirect_uri: undefined }]) {
      const answer = await stack.authorize({ client: app, scope, change })
      expectPage(answer, 400)
      expect(answer.text).not.toContain(base)
    }
  })

  test('no base is named that would refuse the app, too, and none of a production app', async () => {
    const { organizationId, base, slug } = await makeOrganization()
    const { prisma } = stack.services
    const { client: app } = await stack.createClient({ ...own, organizationId })
    const { client: production } = await stack.createClient({
      ...own,
      organizationId,
      environment: 'production',
    })
    const { client: nobodys } = await stack.createClient(own)
    await prisma.practice.update({ where: { slug }, data: { fhirEnabled: false } })

    for (const [from, practice] of [
      [app, demonstration],
      [nobodys, demonstration],
      [production, 'juniper-point'],
    ] as const) {
      const answer = await stack.authorize({ client: from, scope, practice })
      expectPage(answer, 400)
      expect(answer.text).toContain('This app is not enabled at this practice.')
      expect(answer.text).not.toContain('FHIR base')
    }
    await prisma.practice.update({ where: { slug }, data: { fhirEnabled: true } })
    expect((await stack.authorize({ client: app, scope })).text).toContain(base)
  })

  test('in error_description of the token address, once the app has proven who it is', async () => {
    const { organizationId, base } = await makeOrganization()
    const key = await makeAssertionKey('ES384')
    const jwks = { keys: [key.publicJwk] as Record<string, unknown>[] }
    const system = await stack.createClient({
      ...own,
      organizationId,
      audience: 'backend',
      scope: 'system/*.rs',
      jwks,
    })
    const { client: open } = await stack.createClient({ ...own, organizationId })
    const ask = async (signer: AssertionKey) =>
      stack.post('token', {
        grant_type: 'client_credentials',
        scope: 'system/*.rs',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await signAssertion({
          key: signer,
          clientId: system.client.clientId,
          audience: stack.at('token'),
          now: stack.services.clock(),
        }),
      })

    const refused = await ask(key)
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'unauthorized_client',
        error_description: `This app is not enabled at this practice. This app works at this FHIR base: ${base}`,
      },
    ])
    // The characters that RFC 6749 allows.
    expect(refused.body.error_description).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/)
    expect((await ask(await makeAssertionKey('ES384'))).text).not.toContain(base)
    const nameOnly = { grant_type: 'refresh_token', refresh_token: 'x', client_id: open.clientId }
    const answer = await stack.post('token', nameOnly)
    expect(answer.body.error).toBe('unauthorized_client')
    expect(answer.text).not.toContain(base)
  })
})
