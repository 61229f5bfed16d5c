/** The linter against real servers on https; only names and the port are not what they are elsewhere. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../../tests/support/certificate.ts'
import { firstDraft, newAppForm } from '../../../contract/forms/new-app.ts'
import { countFindings, type LintReport } from '../../../contract/workflows/lint-findings.ts'
import { emptyRegistration, registrationForm } from '../../../contract/workflows/registration-form.ts'
import { createOutbound, type Outbound } from '../../../outbound/outbound.ts'
import { checkNewClient } from '../../clients/client-fields.ts'
import { findSandboxFaults, toClientFields } from '../apply-approved.ts'
import * as linter from './linter.ts'

const { key, cert } = makeCertificate(['tidepath.example'])
const origin = 'https://tidepath.example'
let served = ''

function makeKey(kid: string, kind: 'public' | 'private' = 'public') {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const jwk = (kind === 'public' ? pair.publicKey : pair.privateKey).export({ format: 'jwk' })
  return { ...jwk, kid, use: 'sig', alg: 'ES384' }
}

const setOf = (...keys: object[]) => JSON.stringify({ keys })

const server: Server = createServer({ key, cert }, (request, response) => {
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
const outbound: Outbound = createOutbound({
  resolve: async (name) => (name === 'tidepath.example' ? ['127.0.0.1'] : []),
  isAllowed: () => true,
  connection: { ca: cert, port: (server.address() as AddressInfo).port },
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

const jwksOfTwo = setOf(makeKey('one'), makeKey('two'))

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

describe('redirect URIs', () => {
  const cases: [string, string | null][] = [
    ['https://app.example/callback?tenant=1', null],
    ['http://127.0.0.1:8080/callback', null],
    ['http://[::1]/callback', null],
    ['com.example.app:/callback', null],
    ['com.example.app://callback', null],
    [
      'http://localhost:5173/callback',
      'hint redirectUris: The redirect URI uses localhost, so the port must match',
    ],
    ['http://localhost.evil.example/callback', 'error redirectUris: Plain http is allowed for your'],
    ['http://staging.tidepath.example/callback', 'error redirectUris: Plain http is allowed for your'],
    ['https://*.tidepath.example/callback', 'error redirectUris: A redirect URI can’t have a wildcard'],
    ['http://localhost:*/callback', 'error redirectUris: A redirect URI can’t have a wildcard'],
    ['https://tidepath.example/#/callback', 'error redirectUris: A redirect URI can’t have a fragment'],
    ['com.example.app:/callback#', 'error redirectUris: A redirect URI can’t have a fragment'],
    ['https://me:pass@tidepath.example/', 'error redirectUris: A redirect URI can’t contain a user name'],
    ['http://me@localhost/callback', 'error redirectUris: A redirect URI can’t contain a user name'],
    ['tidepath://callback', 'error redirectUris: The scheme of a native app must be a reverse-domain name'],
    ['javascript:alert(1)', 'error redirectUris: A redirect URI can’t begin with javascript:'],
    [
      'JavaScript:alert(1)//https://app.example',
      'error redirectUris: A redirect URI can’t begin with javascript:',
    ],
    ['data:text/html,<script>alert(1)</script>', 'error redirectUris: A redirect URI can’t begin with data:'],
    ['file:///etc/passwd', 'error redirectUris: A redirect URI can’t begin with file:'],
    ['/callback', 'error redirectUris: A redirect URI must be a complete URL'],
  ]

  test.each(cases)('%s', async (redirectUris, expected) => {
    const [first, ...others] = found(await lint({ redirectUris }))

    expect(others).toEqual([])
    if (expected === null) expect(first).toBeUndefined()
    else expect(first).toContain(expected)
  })
})

test('links have to answer; a page that is shy of programs is left to the reviewer', async () => {
  expect(found(await lint({ website: `${origin}/large` }))).toEqual([])
  expect(found(await lint({ privacyUrl: `${origin}/404`, termsUrl: `${origin}/503` }))).toEqual([
    'error privacyUrl: Privacy policy: https://tidepath.example/404 responded with 404.',
    'error termsUrl: Terms of use: https://tidepath.example/503 responded with 503.',
  ])
  expect(found(await lint({ website: `${origin}/403` }))).toEqual([
    'hint website: Website: https://tidepath.example/403 responded with 403.',
  ])
  expect(found(await lint({ website: 'https://nobody.example/' }))).toEqual([
    'error website: Website: https://nobody.example/ could not be reached.',
  ])
  expect(found(await lint({ website: 'http://tidepath.example/' }))).toEqual([
    'error website: Website: this isn’t an https URL.',
  ])
})

describe('a key set that is served', () => {
  const two = [makeKey('one'), makeKey('two')]
  const cases: [string, string, string | null][] = [
    ['two keys', setOf(...two), null],
    ['one key', setOf(makeKey('one')), null],
    ['the same kid twice', setOf(makeKey('one'), makeKey('one')), 'Two keys have the kid one.'],
    ['no kid', setOf({ ...makeKey('one'), kid: undefined }), 'Every key needs a kid'],
    ['a private key', setOf(makeKey('one', 'private')), 'A key contains its private part.'],
    ['another curve', setOf({ ...makeKey('one'), crv: 'P-256' }), 'An EC key must use the curve P-384'],
    [
      'another algorithm',
      setOf(...two, { ...makeKey('three'), alg: 'ES256' }),
      'The key three is for ES256.',
    ],
    ['keys for secrecy', setOf({ ...makeKey('one'), use: 'enc' }), 'is not for signing'],
    ['no keys', setOf(), 'A JWKS must have 1 to 20 keys.'],
    ['no JSON', '<html>', 'This is not a JWKS.'],
    ['too much of it', 'x'.repeat(300_000), 'could not be fetched'],
  ]

  test.each(cases)('with %s', async (_name, text, said) => {
    served = text

    const report = await lint(signing)

    expect(found(report)).toEqual(said === null ? [] : [expect.stringContaining(said)])
    expect(JSON.stringify(report)).not.toMatch(/"d"|"x"|"y"/)
  })
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
    'error clientType: A backend system must sign its requests.',
    'error redirectUris: A backend system can’t have a redirect URI.',
    'error launchUrl: A backend system can’t have a launch URL.',
  ])
  expect(found(await lint({ ...backend, scope: 'patient/Patient.rs openid' }))).toHaveLength(2)
})

test('scopes are those that are served and that fit the app', async () => {
  expect(found(await lint({ scope: 'patient/Patient.cruds patient/Nothing.rs system/Patient.rs' }))).toEqual([
    'error scope: patient/Nothing.rs: This server doesn’t have this resource type.',
  ])
  expect(found(await lint({ scope: 'launch/patient system/Patient.rs' }))).toEqual([
    'error scope: system/Patient.rs is for backend systems.',
  ])
  expect(found(await lint({ scope: 'openid' }))).toEqual([
    'error scope: The app doesn’t request any records.',
  ])
  expect(found(await lint({ scope: 'patient/*.rs' }))).toEqual([
    'hint scope: patient/*.rs requests the complete record.',
    expect.stringContaining('Without launch/patient'),
  ])
  expect(found(await lint({ audience: 'clinician', scope: 'launch user/Patient.rs' }))).toEqual([
    'error launchUrl: Add a launch URL because the app requests the scope launch.',
  ])
})

const anyForm = fc.record({
  name: fc.constantFrom('Tidepath', 'T', '  ', 'Ωmega 健康', 'x'.repeat(100)),
  website: fc.constantFrom('', `${origin}/`, 'http://a.example/', 'nowhere'),
  audience: fc.constantFrom('patient', 'clinician', 'backend'),
  clientType: fc.constantFrom('none', 'client_secret_basic', 'private_key_jwt'),
  redirectUris: fc.constantFrom(
    '',
    `${origin}/a`,
    'http://127.0.0.1/a',
    'com.example.a:/b',
    'http://a.example/',
    `${origin}/a\njavascript:alert(1)`,
  ),
  launchUrl: fc.constantFrom('', `${origin}/launch`, 'http://127.0.0.1:1/', `${origin}/#a`, 'nowhere'),
  jwks: fc.constantFrom('', jwksOfTwo, '{}', 'null', 'no JSON', setOf({ ...makeKey('one'), crv: 'P-256' })),
  jwksUrl: fc.constantFrom('', `${origin}/jwks.json`, 'http://a.example/jwks.json'),
  scope: fc.constantFrom(
    complete.scope,
    backend.scope,
    'openid',
    'launch user/*.read',
    'patient/Patient.c',
    'ü',
    '',
  ),
})

test('whatever is complete can be registered at the authorization server', async () => {
  const answering: Outbound = {
    get: async () => ({ status: 200, contentType: '', headers: {}, body: Buffer.from(jwksOfTwo) }),
  }
  await fc.assert(
    fc.asyncProperty(anyForm, async (change) => {
      const form = registrationForm.parse({ ...complete, ...change })
      const report = await linter.lint({ outbound: answering }, form)
      if (!report.complete) return
      const client = { ...toClientFields({ env: { PUBLIC_ORIGIN: origin } }, form), organizationId: null }
      expect(() => checkNewClient({ ...client, environment: 'production' })).not.toThrow()
    }),
    { seed: 8, numRuns: 300 },
  )
})

test('each fault that stops the sandbox client is found at its field, and no other is said to', () => {
  fc.assert(
    fc.property(anyForm, (change) => {
      const form = registrationForm.parse({ ...complete, ...change })
      const { findings } = linter.look(form)
      const said = findings.filter(({ stage }) => stage === 'sandbox').map(({ field }) => field)
      const stops = findSandboxFaults(form).map(({ field }) => field)

      expect([...new Set(said)].sort()).toEqual([...new Set(stops)].sort())
    }),
    { seed: 21, numRuns: 1_000 },
  )
})

test('a draft of three fields has no fault in the sandbox: all it lacks is for production, and empty', () => {
  for (const app of [
    { name: 'Tidepath', audience: 'patient', redirectUris: 'http://localhost:5173/callback', keys: '' },
    { name: 'Tidepath', audience: 'clinician', redirectUris: 'com.example.tidepath:/callback', keys: '' },
    { name: 'Tidepath', audience: 'backend', redirectUris: '', keys: jwksOfTwo },
    { name: 'Tidepath', audience: 'backend', redirectUris: '', keys: `${origin}/jwks.json` },
  ]) {
    const { findings } = linter.look(firstDraft(newAppForm.parse(app)))
    const errors = findings.filter(({ severity }) => severity === 'error')

    expect(errors.map(({ field }) => field)).toContain('privacyUrl')
    expect(errors.filter(({ stage, missing }) => stage === 'sandbox' || !missing)).toEqual([])
  }
})
