/** The code of every step says what the table says, in every language; tests/promises/smart-snippets.test.ts runs it. */
import { describe, expect, test } from 'vitest'
import { type SmartStep, type SnippetApp, workOf } from '../../../../server/contract/lab/smart-snippets.ts'
import {
  authorizeLines,
  codeRunner,
  differences,
  ranLanguages,
} from '../../../../tests/support/smart-snippets.ts'
import { smartSnippets } from './smart-snippets.server.ts'
import { type SmartLanguage, smartLanguages } from './writer.ts'

const run = codeRunner()
const base = 'https://fhir.example/r4/samplewood'
const addresses = {
  fhirBase: base,
  authorize: 'https://portal.example/r4/samplewood/authorize',
  token: `${base}/token`,
  introspect: `${base}/introspect`,
  revoke: `${base}/revoke`,
}
const person = {
  clientId: 'samplewood-app',
  audience: 'patient',
  redirectUri: 'https://samplewood.example/callback',
  scope: 'launch/patient patient/*.rs offline_access',
  addresses,
} as const

const apps = {
  public: { ...person, authentication: 'none' },
  secret: { ...person, authentication: 'client_secret_basic' },
  key: { ...person, authentication: 'private_key_jwt' },
  backend: {
    ...person,
    audience: 'backend',
    authentication: 'private_key_jwt',
    redirectUri: null,
    scope: 'system/Observation.rs',
  },
} as const satisfies Record<string, SnippetApp>

type Kind = keyof typeof apps
const kinds = Object.keys(apps) as Kind[]

const codeOf = (app: SnippetApp, step: SmartStep, language: SmartLanguage) =>
  smartSnippets(app)
    .find((each) => each.step === step)
    ?.snippets.find((each) => each.language === language)?.code ?? ''

test.each<[Kind, SmartStep[]]>([
  ['public', ['authorize', 'exchange', 'refresh', 'read', 'revoke']],
  ['secret', ['authorize', 'exchange', 'refresh', 'read', 'introspect', 'revoke']],
  ['key', ['authorize', 'assertion', 'exchange', 'refresh', 'read', 'introspect', 'revoke']],
  ['backend', ['assertion', 'credentials', 'read', 'introspect', 'revoke']],
])('an app of the kind %s is shown its own steps, each in every language', (kind, steps) => {
  const shown = smartSnippets(apps[kind])

  expect(shown.map(({ step }) => step)).toEqual(steps)
  for (const { snippets } of shown)
    expect(snippets.map(({ language }) => language)).toEqual([...smartLanguages])
})

describe.each(kinds)('for an app of the kind %s', (kind) => {
  test('Java says the address, parameters, headers and variables of the table', () => {
    for (const { step } of smartSnippets(apps[kind]))
      expect([step, ...differences(codeOf(apps[kind], step, 'java'), workOf(step, apps[kind]))]).toEqual([
        step,
      ])
  })

  test('no code holds a credential; it says where a secret comes from', () => {
    for (const { step, snippets } of smartSnippets(apps[kind]))
      for (const { language, code } of snippets) {
        expect(code, `${step} ${language}`).not.toMatch(/sp[arcs]_\w|undefined|\[object/)
        if (/CLIENT_SECRET/.test(code))
          expect(code).toMatch(/^(#|\/\/) CLIENT_SECRET: create it on the Secrets page of the app/m)
      }
    const usesSecret = smartSnippets(apps[kind]).some(({ snippets }) =>
      snippets.some(({ code }) => code.includes('CLIENT_SECRET')),
    )
    expect(usesSecret).toBe(kind === 'secret')
  })
})

describe('a redirect URI with the signs of every language', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: signs that other languages read as code
  const redirectUri = 'https://samplewood.example/cb?q=$HOME$(id)`id`${x}%41+\'"&r=\\(y)!*'
  const app = { ...apps.public, redirectUri }

  test('is a text in Java', () => {
    for (const step of ['authorize', 'exchange'] as const)
      expect(differences(codeOf(app, step, 'java'), workOf(step, app))).toEqual([])
  })

  test.each(ranLanguages)('arrives whole from %s', async (language) => {
    const { url, verifier, state } = authorizeLines(
      await run(language, codeOf(app, 'authorize', language), {}),
    )

    expect(url.searchParams.get('redirect_uri')).toBe(redirectUri)
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(state).toBe(url.searchParams.get('state'))
  })
})

test.each([
  ['patient/*.rs', 'Patient/pt-wren-testwell'],
  ['patient/Observation.rs patient/Patient.r', 'Patient/pt-wren-testwell'],
  ['launch/patient patient/Observation.rs?category=laboratory', 'Observation?patient=pt-wren-testwell'],
  ['system/Group.rs', 'Patient/pt-wren-testwell'],
])('with %s the record that is read is %s', (scope, path) => {
  expect(workOf('read', { ...apps.public, scope })).toMatchObject({ url: `${base}/${path}` })
})
