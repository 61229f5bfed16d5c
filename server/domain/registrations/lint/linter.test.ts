/** The linter against real servers on https; only names and the port are not what they are elsewhere. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../../tests/support/certificate.ts'
import { countFindings, type LintReport } from '../../../contract/workflows/lint-findings.ts'
import { emptyRegistration, registrationForm } from '../../../contract/workflows/registration-form.ts'
import { createOutbound, type Outbound } from '../../../outbound/outbound.ts'
import { checkNewClient } from '../../clients/client-fields.ts'
import { toClientFields } from '../new-client.ts'
import * as linter from './linter.ts'

const { key, cert } = makeCertificate(['tidepath.example'])
const origin = 'https://tidepath.example'
let server: Server
let outbound: Outbound
let served = ''

function makeKey(kid: string, kind: 'public' | 'private' = 'public') {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const jwk = (kind === 'public' ? pair.publicKey : pair.privateKey).export({ format: 'jwk' })
  return { ...jwk, kid, use: 'sig', alg: 'ES384' }
}

const setOf = (...keys: object[]) => JSON.stringify({ keys })

beforeAll(async () => {
  server = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? ''
    const [, status] = /^\/(\d{3})$/.exec(path) ?? []
    if (path === '/jwks.json') response.setHeader('content-type', 'application/json').end(served)
    else if (status) response.writeHead(Number(status)).end()
    // A page larger than anything that is fetched, and one that never ends.
    else if (path === '/large') response.end('x'.repeat(400_000))
    else if (path === '/endless') response.writeHead(200).write('<html>')
    else response.end('<html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  outbound = createOutbound({
    resolve: async (name) => (name === 'tidepath.example' ? ['127.0.0.1'] : []),
    isAllowed: () => true,
    connection: { ca: cert, port: (server.address() as AddressInfo).port },
  })
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const complete = {
  name: 'Tidepath',
  description: 'Shows a patient the lab results they chose to share.',
  website: `${origin}/`,
  privacyUrl: `${origin}/privacy`,
  termsUrl: `${origin}/endless`,
  logo: 'a'.repeat(64),
  technicalContact: 'dev@tidepath.example',
  securityContact: 'security@tidepath.example',
  audience: 'patient',
  clientType: 'none',
  redirectUris: `${origin}/callback`,
  scope: 'openid fhirUser launch/patient patient/Patient.rs patient/Observation.rs',
  attestAuthority: true,
  attestPatients: true,
  attestSecrets: true,
  attestChanges: true,
}
const signing = { clientType: 'private_key_jwt', jwksUrl: `${origin}/jwks.json` }
const backend = {
  ...signing,
  audience: 'backend',
  redirectUris: '',
  scope: 'system/Patient.rs system/Group.rs',
}

const lint = (change: object = {}) =>
  linter.lint({ outbound }, registrationForm.parse({ ...complete, ...change }))
const found = ({ findings }: LintReport) =>
  findings.map(({ field, severity, reason }) => `${severity} ${field}: ${reason}`)

test('a registration with nothing wrong is complete, and says what was looked at', async () => {
  const report = await lint()

  expect(found(report)).toEqual([])
  expect(report.complete).toBe(true)
  expect(countFindings(report)).toEqual({ errors: 0, hints: 0, passed: linter.lintRules.length })
})

test('what the form says alone is never enough to be complete', () => {
  const report = linter.look(registrationForm.parse(complete))

  expect(report).toMatchObject({ findings: [], complete: false })
})

test('an empty form hears all that is missing, once each, with what to do', async () => {
  const { findings, complete: isComplete } = await linter.lint({ outbound }, emptyRegistration)

  expect(isComplete).toBe(false)
  const errors = findings.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ field }) => field)).toEqual([
    'name',
    'description',
    'website',
    'privacyUrl',
    'termsUrl',
    'technicalContact',
    'securityContact',
    'redirectUris',
    'scope',
    'attestAuthority',
    'attestPatients',
    'attestSecrets',
    'attestChanges',
  ])
  for (const { reason, fix } of findings) expect(reason.length * fix.length).toBeGreaterThan(0)
})

describe('redirect addresses', () => {
  const cases: [string, string | null][] = [
    ['https://app.example/callback?tenant=1', null],
    ['http://127.0.0.1:8080/callback', null],
    ['http://[::1]/callback', null],
    ['example.app.tidepath:/callback', null],
    ['http://localhost/callback', 'hint redirectUris: Redirect 1 uses the name localhost'],
    ['http://staging.tidepath.example/callback', 'error redirectUris: Redirect 1: Plain http'],
    [
      'https://*.tidepath.example/callback',
      'error redirectUris: Redirect 1: A redirect address is a complete URL',
    ],
    [
      'https://tidepath.example/#/callback',
      'error redirectUris: Redirect 1: A redirect address has no fragment',
    ],
    [
      'https://me:pass@tidepath.example/',
      'error redirectUris: Redirect 1: A redirect address holds no credentials',
    ],
    ['tidepath://callback', 'error redirectUris: Redirect 1: The scheme of a native app'],
    ['javascript:alert(1)', 'error redirectUris: Redirect 1: The scheme of a native app'],
    ['/callback', 'error redirectUris: Redirect 1: A redirect address is a complete URL'],
  ]

  test.each(cases)('%s', async (redirectUris, said) => {
    const [first, ...others] = found(await lint({ redirectUris }))

    expect(others).toEqual([])
    if (said === null) expect(first).toBeUndefined()
    else expect(first).toContain(said)
  })

  test('plain http is answered with the address to change it to', async () => {
    const { findings } = await lint({ redirectUris: 'http://staging.tidepath.example/callback' })

    expect(findings[0]?.fix).toBe('Change it to https://staging.tidepath.example/callback')
  })
})

test('links have to answer; a page that is shy of programs is left to the reviewer', async () => {
  expect(found(await lint({ website: `${origin}/large` }))).toEqual([])
  expect(found(await lint({ privacyUrl: `${origin}/404`, termsUrl: `${origin}/503` }))).toEqual([
    'error privacyUrl: Privacy policy: https://tidepath.example/404 answered 404.',
    'error termsUrl: Terms of use: https://tidepath.example/503 answered 503.',
  ])
  expect(found(await lint({ website: `${origin}/403` }))).toEqual([
    'hint website: Website: https://tidepath.example/403 answered 403 to us.',
  ])
  expect(found(await lint({ website: 'https://nobody.example/' }))).toEqual([
    'error website: Website: https://nobody.example/ could not be reached.',
  ])
  expect(found(await lint({ website: 'http://tidepath.example/' }))).toEqual([
    'error website: Website: this is no https address.',
  ])
})

describe('a key set that is served', () => {
  const two = [makeKey('one'), makeKey('two')]
  const cases: [string, string, string | null][] = [
    ['two keys', setOf(...two), null],
    ['one key', setOf(makeKey('one')), 'hint jwksUrl: There is one signing key.'],
    ['the same kid twice', setOf(makeKey('one'), makeKey('one')), 'Two keys have the kid one.'],
    ['no kid', setOf({ ...makeKey('one'), kid: undefined }), 'Every key needs a kid'],
    ['a private key', setOf(makeKey('one', 'private')), 'A key shows its private part.'],
    ['another curve', setOf({ ...makeKey('one'), crv: 'P-256' }), 'An EC key is of the curve P-384'],
    [
      'another algorithm',
      setOf(...two, { ...makeKey('three'), alg: 'ES256' }),
      'The key three is for ES256.',
    ],
    ['keys for secrecy', setOf({ ...makeKey('one'), use: 'enc' }), 'another use than signing'],
    ['no keys', setOf(), 'A JWKS holds 1 to 20 keys.'],
    ['no JSON', '<html>', 'This is no JWKS.'],
    ['too much of it', 'x'.repeat(300_000), 'could not be fetched'],
  ]

  test.each(cases)('with %s', async (_name, text, said) => {
    served = text

    const report = await lint(signing)

    expect(found(report)).toEqual(said === null ? [] : [expect.stringContaining(said)])
    expect(JSON.stringify(report)).not.toMatch(/"d"|"x"|"y"/)
  })

  test('has to answer 200, to anybody, at an https address', async () => {
    expect(found(await lint({ ...signing, jwksUrl: `${origin}/404` }))).toEqual([
      'error jwksUrl: The address of the keys answered 404.',
    ])
    expect(found(await lint({ ...signing, jwksUrl: `${origin}:8443/jwks.json` }))).toEqual([
      'error jwksUrl: The address of the keys is no https address on port 443.',
    ])
  })
})

test('keys are given in one place, and only by who signs', async () => {
  const jwks = setOf(makeKey('one'), makeKey('two'))

  expect(found(await lint({ clientType: 'private_key_jwt', jwks }))).toEqual([])
  expect(found(await lint({ ...signing, jwks }))).toEqual([expect.stringContaining('only one of them')])
  expect(found(await lint({ clientType: 'private_key_jwt' }))).toEqual([
    'error jwksUrl: There are no public keys.',
  ])
  expect(found(await lint({ jwks }))).toEqual([expect.stringContaining('Only an app that signs')])
})

test('a backend system signs, has system scopes, and nobody opens it', async () => {
  served = setOf(makeKey('one'), makeKey('two'))

  expect(found(await lint(backend))).toEqual([])
  expect(
    found(
      await lint({
        ...backend,
        clientType: 'none',
        jwksUrl: '',
        launchUrl: `${origin}/`,
        redirectUris: origin,
      }),
    ),
  ).toEqual([
    'error clientType: A backend system signs its requests.',
    'error redirectUris: A backend system has no redirect address.',
    'error launchUrl: Nobody opens a backend system.',
  ])
  expect(found(await lint({ ...backend, scope: 'patient/Patient.rs openid' }))).toHaveLength(2)
})

test('scopes are those that are served and that fit the app', async () => {
  expect(found(await lint({ scope: 'patient/Patient.cruds patient/Nothing.rs system/Patient.rs' }))).toEqual([
    'error scope: patient/Nothing.rs: This server has no such resource type.',
  ])
  expect(found(await lint({ scope: 'launch/patient system/Patient.rs' }))).toEqual([
    'error scope: system/Patient.rs is for backend systems.',
  ])
  expect(found(await lint({ scope: 'openid' }))).toEqual([
    'error scope: The app asks for nothing it could read.',
  ])
  expect(found(await lint({ scope: 'patient/*.rs' }))).toEqual([
    'hint scope: patient/*.rs asks for the whole record.',
    expect.stringContaining('Without launch/patient'),
  ])
  expect(found(await lint({ audience: 'clinician', scope: 'launch user/Patient.rs' }))).toEqual([
    'error launchUrl: The app asks for the scope launch, and says not where it is opened.',
  ])
})

test('whatever is complete can be registered at the authorization server', async () => {
  const jwks = setOf(makeKey('one'), makeKey('two'))
  const answering: Outbound = {
    get: async () => ({ status: 200, contentType: '', headers: {}, body: Buffer.from(jwks) }),
  }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        name: fc.constantFrom('Tidepath', 'T', '  ', 'Ωmega 健康', 'x'.repeat(100)),
        audience: fc.constantFrom('patient', 'clinician', 'backend'),
        clientType: fc.constantFrom('none', 'client_secret_basic', 'private_key_jwt'),
        redirectUris: fc.constantFrom(
          '',
          `${origin}/a`,
          'http://127.0.0.1/a',
          'com.example.a:/b',
          'http://a.example/',
        ),
        launchUrl: fc.constantFrom('', `${origin}/launch`, 'http://127.0.0.1:1/', `${origin}/#a`),
        jwks: fc.constantFrom('', jwks, '{}'),
        jwksUrl: fc.constantFrom('', `${origin}/jwks.json`),
        scope: fc.constantFrom(complete.scope, backend.scope, 'launch user/*.read', 'patient/Patient.c', ''),
      }),
      async (change) => {
        const form = registrationForm.parse({ ...complete, ...change })
        const report = await linter.lint({ outbound: answering }, form)
        const client = { ...toClientFields({ env: { PUBLIC_ORIGIN: origin } }, form), organizationId: null }
        if (report.complete)
          expect(() => checkNewClient({ ...client, environment: 'production' })).not.toThrow()
      },
    ),
    { seed: 8, numRuns: 300 },
  )
})

test('before addresses are opened no sentence says that they open', () => {
  // Looking asks nobody.
  const { passed } = linter.look({
    ...emptyRegistration,
    website: 'https://tidepath.example/',
    privacyUrl: 'https://tidepath.example/privacy',
    termsUrl: 'https://tidepath.example/terms',
  })

  expect(passed).not.toContain('Website, privacy policy and terms open.')
  expect(passed).not.toContain('The public keys can be used, or none are needed.')
  expect(passed).toContain('Website, privacy policy and terms are https addresses. They were not opened yet.')
})
