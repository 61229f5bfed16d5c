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
    sub: 'A patient opens the app by itself.',
    audience: 'patient',
    launched: false,
  },
  'standalone-clinician': {
    title: 'Standalone, clinician',
    sub: 'A clinician opens the app by itself.',
    audience: 'clinician',
    launched: false,
  },
  backend: {
    title: 'Backend system',
    sub: 'A system asks for a token with a signed assertion.',
    audience: 'backend',
    launched: false,
  },
} as const satisfies Record<string, LaunchKindRow>

export type LaunchKind = keyof typeof launchKinds
export const launchKindNames = Object.keys(launchKinds) as LaunchKind[]
export const launchKindRow = (kind: LaunchKind): LaunchKindRow => launchKinds[kind]

/** Who signs in during a launch. Systems have nobody to sign in. */
export const launchSignIns = {
  at_once: {
    title: 'At once, as the person chosen here',
    sub: 'The simulator signs them in and allows everything for them.',
  },
  on_page: {
    title: 'On the sign-in page',
    sub: 'Somebody of your sandbox signs in there and decides on the consent page, as at a practice. For apps of your own.',
  },
} as const satisfies Record<string, Readonly<{ title: string; sub: string }>>

export type LaunchSignIn = keyof typeof launchSignIns
export const launchSignInNames = Object.keys(launchSignIns) as LaunchSignIn[]

/** Per organization, counted over all its members. */
export const launchesPerHour = 300

/** Our own example app, which runs on the server and shows every step. */
export const exampleApp = 'example'

const smart = 'https://hl7.org/fhir/smart-app-launch/STU2.2'

export const launchSteps = {
  launched: {
    title: 'The launch was made',
    says: 'The EHR makes a launch value for this app and practice, good once, and opens the app’s launch address with it and with iss.',
    spec: `${smart}/app-launch.html#launch-app-ehr-launch`,
    todo: 'Read iss and launch from the query, and trust iss only where your app knows it.',
  },
  opened: {
    title: 'The app was opened',
    says: 'The app begins by itself. iss in its launch URL names the FHIR base; there is no launch value.',
    spec: `${smart}/app-launch.html#launch-app-standalone-launch`,
    todo: 'Ask for launch/patient when your app needs a patient.',
  },
  discovery: {
    title: 'The app looked up the addresses',
    says: 'Below iss, .well-known/smart-configuration names the authorize and token addresses.',
    spec: `${smart}/conformance.html`,
    todo: 'Never write the addresses into your code; they may change.',
  },
  authorize: {
    title: 'The app asked for authorization',
    says: 'The browser brings response_type, client_id, redirect_uri, scope, state, aud and a PKCE challenge; the answer is a redirect with a code, or with an error.',
    spec: `${smart}/app-launch.html#obtain-authorization-code`,
    todo: 'Compare state before anything else, then look for error before you look for code.',
  },
  consent: {
    title: 'The person decided',
    says: 'On the consent page a person allows all of it, a part, or nothing. The browser goes back to the redirect URI with a code, or with access_denied.',
    spec: 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2',
    todo: 'Compare state and iss with what you sent, then exchange the code within five minutes.',
  },
  returned: {
    title: 'The app got its answer',
    says: 'state must be the one that was sent; an answer with another one belongs to somebody else.',
    spec: 'https://www.rfc-editor.org/rfc/rfc6749#section-10.12',
    todo: 'Drop the answer when state differs, and say so to the person.',
  },
  token: {
    title: 'The app asked for a token',
    says: 'The code goes to the token address with the PKCE verifier, once; a system sends a signed assertion in its place. The answer holds the access token, what was granted, and the context.',
    spec: `${smart}/app-launch.html#obtain-access-token`,
    todo: 'Read scope and patient from the answer: they may be less than what was asked.',
  },
  verify: {
    title: 'The app checked the id_token',
    says: 'It is signed with a key of the practice’s key set; iss, aud and exp must fit, too.',
    spec: 'https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation',
    todo: 'Use a library, and refuse the sign-in when the signature does not hold.',
  },
  read: {
    title: 'The app read a record',
    says: 'The access token goes into the Authorization header, never into a URL.',
    spec: `${smart}/app-launch.html#access-fhir-api`,
    todo: 'On 401 refresh once; on 403 tell the person what was not granted.',
  },
  refresh: {
    title: 'The app asked for a new token',
    says: 'The refresh token is replaced by each use; invalid_grant means that the person has to authorize anew.',
    spec: `${smart}/app-launch.html#refresh-access-token`,
    todo: 'Store the new refresh token before you use the access token, and begin again on invalid_grant.',
  },
} as const

export type LaunchStepName = keyof typeof launchSteps
