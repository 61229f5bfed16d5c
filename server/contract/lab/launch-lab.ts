/** The launch simulator: kinds of launches, and the steps of an exchange with what the specification says of each. */

type LaunchKindRow = Readonly<{
  title: string
  sub: string
  audience: 'patient' | 'clinician' | 'backend'
  /** Begins with a launch value; else the app, or the system, begins by itself. */
  launched: boolean
}>

export const launchKinds = {
  ehr: {
    title: 'EHR launch',
    sub: 'A clinician opens the app from a chart.',
    audience: 'clinician',
    launched: true,
  },
  portal: {
    title: 'Patient portal launch',
    sub: 'A patient opens the app from the practice’s portal.',
    audience: 'patient',
    launched: true,
  },
  'standalone-patient': {
    title: 'Standalone, patient',
    sub: 'A patient opens the app directly.',
    audience: 'patient',
    launched: false,
  },
  'standalone-clinician': {
    title: 'Standalone, clinician',
    sub: 'A clinician opens the app directly.',
    audience: 'clinician',
    launched: false,
  },
  backend: {
    title: 'Backend system',
    sub: 'A system requests a token with a signed assertion.',
    audience: 'backend',
    launched: false,
  },
} as const satisfies Record<string, LaunchKindRow>

export type LaunchKind = keyof typeof launchKinds
export const launchKindNames = Object.keys(launchKinds) as LaunchKind[]
export const launchKindRow = (kind: LaunchKind): LaunchKindRow => launchKinds[kind]

/** Who signs in during a launch. Systems have no one to sign in. */
export const launchSignIns = {
  at_once: {
    title: 'Automatically, as the person chosen here',
    sub: 'The simulator signs them in and grants everything.',
  },
  on_page: {
    title: 'On the sign-in page',
    sub: 'A person from your sandbox signs in and decides on the consent page, as at a practice.',
  },
} as const satisfies Record<string, Readonly<{ title: string; sub: string }>>

export type LaunchSignIn = keyof typeof launchSignIns
export const launchSignInNames = Object.keys(launchSignIns) as LaunchSignIn[]

/** Per organization, counted over all its members. */
export const launchesPerHour = 300

const smart = 'https://hl7.org/fhir/smart-app-launch/STU2.2'

export const launchSteps = {
  launched: {
    title: 'Launch created',
    says: 'The EHR creates a single-use launch value for this app and practice, and opens the app’s launch URL with it and with iss.',
    spec: `${smart}/app-launch.html#launch-app-ehr-launch`,
    todo: 'Read iss and launch from the query. Trust iss only if your app knows it.',
  },
  opened: {
    title: 'App opened',
    says: 'The app starts on its own. iss in its launch URL is the FHIR base URL; there is no launch value.',
    spec: `${smart}/app-launch.html#launch-app-standalone-launch`,
    todo: 'Request launch/patient if your app needs a patient.',
  },
  discovery: {
    title: 'Endpoints discovered',
    says: 'Under iss, .well-known/smart-configuration lists the authorize and token endpoints.',
    spec: `${smart}/conformance.html`,
    todo: 'Never hard-code the endpoints. They may change.',
  },
  authorize: {
    title: 'Authorization requested',
    says: 'The browser sends response_type, client_id, redirect_uri, scope, state, aud and a PKCE challenge. The response is a redirect with a code or an error.',
    spec: `${smart}/app-launch.html#obtain-authorization-code`,
    todo: 'Compare state first, then check for error before you use code.',
  },
  consent: {
    title: 'Consent decided',
    says: 'On the consent page, a person allows all, part or none of it. The browser returns to the redirect URI with a code or with access_denied.',
    spec: 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2',
    todo: 'Compare state and iss with the values you sent, then exchange the code within five minutes.',
  },
  returned: {
    title: 'App received the response',
    says: 'state must match the value you sent. A response with a different state isn’t yours.',
    spec: 'https://www.rfc-editor.org/rfc/rfc6749#section-10.12',
    todo: 'Discard the response when state differs, and show an error.',
  },
  token: {
    title: 'Token requested',
    says: 'The app sends the code to the token endpoint with the PKCE verifier, once. A backend system sends a signed assertion instead. The response contains the access token, the granted scopes and the context.',
    spec: `${smart}/app-launch.html#obtain-access-token`,
    todo: 'Read scope and patient from the response. You may get less than you requested.',
  },
  verify: {
    title: 'id_token checked',
    says: 'It is signed with a key from the practice’s key set. iss, aud and exp must match, too.',
    spec: 'https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation',
    todo: 'Use a library, and reject the sign-in if the signature is invalid.',
  },
  read: {
    title: 'Record read',
    says: 'The access token goes into the Authorization header, never into a URL.',
    spec: `${smart}/app-launch.html#access-fhir-api`,
    todo: 'On 401, refresh once. On 403, show the user what was not granted.',
  },
  refresh: {
    title: 'Token refreshed',
    says: 'Each use replaces the refresh token. invalid_grant means that the person must authorize again.',
    spec: `${smart}/app-launch.html#refresh-access-token`,
    todo: 'Store the new refresh token before you use the access token. On invalid_grant, start over.',
  },
} as const

export type LaunchStepName = keyof typeof launchSteps
