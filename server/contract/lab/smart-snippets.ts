/**
 * The requests that take an app to its token and the token to a record, one row a step. Pages show each row as code in
 * several languages (app/shared/snippets/smart). A row names a credential by its environment variable and never holds it.
 */
import { isFhirType, registryRow } from '../fhir/registry.ts'

/** Environment variables that the code reads, and where their values come from. */
export const snippetVariables = {
  CODE: 'the code parameter of the redirect',
  CODE_VERIFIER: 'printed with the authorize URL',
  REFRESH_TOKEN: 'the refresh_token of the latest token response',
  ACCESS_TOKEN: 'the access_token of the token response',
  CLIENT_SECRET: 'create it on the Secrets page of the app, and keep it on your server',
  CLIENT_ASSERTION: 'a new signed assertion for every request',
  PRIVATE_KEY_FILE: 'the file of your private key (P-384, PKCS #8, PEM)',
  KEY_ID: 'the kid of its public key in your key set',
} as const

export type SnippetVariable = keyof typeof snippetVariables

/** Text of the code itself, or the variable that holds it. */
export type SnippetValue = string | Readonly<{ variable: SnippetVariable }>

export type SnippetRequest = Readonly<{
  kind: 'request'
  method: 'GET' | 'POST'
  url: string
  accept?: string
  bearer?: SnippetVariable
  basic?: Readonly<{ user: string; password: SnippetVariable }>
  form?: readonly (readonly [name: string, value: SnippetValue])[]
}>

/** The code adds `code_challenge` and `state`, which are new each time. */
export type SnippetAuthorize = Readonly<{
  kind: 'authorize'
  url: string
  parameters: readonly (readonly [name: string, value: string])[]
}>

export type SnippetAssertion = Readonly<{
  kind: 'assertion'
  algorithm: 'ES384'
  issuer: string
  audience: string
}>

export type SnippetWork = SnippetRequest | SnippetAuthorize | SnippetAssertion

export type SnippetApp = Readonly<{
  clientId: string
  audience: 'patient' | 'clinician' | 'backend'
  authentication: 'none' | 'client_secret_basic' | 'private_key_jwt'
  redirectUri: string | null
  scope: string
  addresses: Readonly<Record<'fhirBase' | 'authorize' | 'token' | 'introspect' | 'revoke', string>>
}>

type StepRow = Readonly<{
  title: string
  about: string
  isFor: (app: SnippetApp) => boolean
  work: (app: SnippetApp) => SnippetWork
}>

const forPeople = ({ audience, redirectUri }: SnippetApp) => audience !== 'backend' && redirectUri !== null
const forBackends = ({ audience }: SnippetApp) => audience === 'backend'
const signs = ({ authentication }: SnippetApp) => authentication === 'private_key_jwt'
const confidential = ({ authentication }: SnippetApp) => authentication !== 'none'
const variable = (name: SnippetVariable) => ({ variable: name })

/** In the order in which an app takes them. */
export const smartSteps = {
  authorize: {
    title: 'Authorize URL',
    about: 'Open the URL in a browser. Compare the state in the redirect with yours, then take the code.',
    isFor: forPeople,
    work: ({ addresses, clientId, redirectUri, scope }) => ({
      kind: 'authorize',
      url: addresses.authorize,
      parameters: [
        ['response_type', 'code'],
        ['client_id', clientId],
        ['redirect_uri', redirectUri ?? ''],
        ['scope', scope],
        ['aud', addresses.fhirBase],
        ['code_challenge_method', 'S256'],
      ],
    }),
  },
  assertion: {
    title: 'Client assertion',
    about: 'Sign a new one for every request. It works once and expires after four minutes.',
    isFor: signs,
    work: ({ clientId, addresses }) => ({
      kind: 'assertion',
      algorithm: 'ES384',
      issuer: clientId,
      audience: addresses.token,
    }),
  },
  exchange: {
    title: 'Exchange the code',
    about: 'A code works once, within five minutes.',
    isFor: forPeople,
    work: (app) =>
      post(app, app.addresses.token, [
        ['grant_type', 'authorization_code'],
        ['code', variable('CODE')],
        ['redirect_uri', app.redirectUri ?? ''],
        ['code_verifier', variable('CODE_VERIFIER')],
      ]),
  },
  credentials: {
    title: 'Get a token',
    about: 'The practice must allow the app first. For your own sandbox, use the switch on the app’s page.',
    isFor: forBackends,
    work: (app) =>
      post(app, app.addresses.token, [
        ['grant_type', 'client_credentials'],
        ['scope', app.scope],
      ]),
  },
  refresh: {
    title: 'Refresh',
    about:
      'Needs the scope offline_access or online_access. Store the new refresh token. The old one no longer works.',
    isFor: forPeople,
    work: (app) =>
      post(app, app.addresses.token, [
        ['grant_type', 'refresh_token'],
        ['refresh_token', variable('REFRESH_TOKEN')],
      ]),
  },
  read: {
    title: 'Read a record',
    about: 'The token goes into the Authorization header, never into a URL.',
    isFor: () => true,
    work: ({ addresses, scope }) => ({
      kind: 'request',
      method: 'GET',
      url: `${addresses.fhirBase}/${readPath(scope)}`,
      accept: 'application/fhir+json',
      bearer: 'ACCESS_TOKEN',
    }),
  },
  introspect: {
    title: 'Introspect',
    about: 'Checks whether one of the app’s tokens is still active, and what it allows.',
    isFor: confidential,
    work: (app) => post(app, app.addresses.introspect, [['token', variable('ACCESS_TOKEN')]]),
  },
  revoke: {
    title: 'Revoke',
    about: 'The token stops on its next request. The person’s authorization ends, too.',
    isFor: () => true,
    work: (app) => post(app, app.addresses.revoke, [['token', variable('ACCESS_TOKEN')]]),
  },
} as const satisfies Record<string, StepRow>

export type SmartStep = keyof typeof smartSteps

const smartStepNames = Object.keys(smartSteps) as SmartStep[]

export const stepsOf = (app: SnippetApp): SmartStep[] =>
  smartStepNames.filter((name) => smartSteps[name].isFor(app))

export const workOf = (step: SmartStep, app: SnippetApp): SnippetWork => smartSteps[step].work(app)

/** With the way in which the app says who it is. */
function post(app: SnippetApp, url: string, form: NonNullable<SnippetRequest['form']>): SnippetRequest {
  const { authentication, clientId } = app
  const request = { kind: 'request', method: 'POST', url } as const
  if (authentication === 'client_secret_basic')
    return { ...request, basic: { user: clientId, password: 'CLIENT_SECRET' }, form }
  if (authentication === 'none') return { ...request, form: [...form, ['client_id', clientId]] }
  return {
    ...request,
    form: [
      ...form,
      ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
      ['client_assertion', variable('CLIENT_ASSERTION')],
    ],
  }
}

const examplePatient = 'pt-wren-testwell'

/** Something the scopes let an app read of a person whom every sandbox has. */
function readPath(scope: string): string {
  const types = [...scope.matchAll(/(?:patient|user|system)\/([A-Za-z]+|\*)\./g)].map(([, type = '']) => type)
  const ofPatient = types.find(
    (type) => isFhirType(type) && registryRow(type).parameters.some(({ name }) => name === 'patient'),
  )
  if (ofPatient === undefined || types.includes('*') || types.includes('Patient'))
    return `Patient/${examplePatient}`
  return `${ofPatient}?patient=${examplePatient}`
}

/** The variables that a step reads, in the order of the table. */
export function variablesOf(work: SnippetWork): SnippetVariable[] {
  if (work.kind === 'authorize') return []
  if (work.kind === 'assertion') return ['PRIVATE_KEY_FILE', 'KEY_ID']
  const used = [
    ...(work.form ?? []).flatMap(([, value]) => (typeof value === 'string' ? [] : [value.variable])),
    ...(work.bearer ? [work.bearer] : []),
    ...(work.basic ? [work.basic.password] : []),
  ]
  return (Object.keys(snippetVariables) as SnippetVariable[]).filter((name) => used.includes(name))
}
