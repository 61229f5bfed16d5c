/** A patient's app in the browser: it signs in with PKCE, reads, refreshes its token and signs out. It has no secret. */
import * as oauth from 'openid-client'
import { explain } from '../shared/explain.ts'

/** Filled in by start.ts. */
declare const settings: { base: string; clientId: string }
const { base, clientId } = settings

const scope = 'openid fhirUser launch/patient offline_access patient/Patient.rs patient/Condition.rs'
const redirectUri = `${location.origin}/`

type SignIn = { verifier: string; state: string; nonce: string }
type Session = { accessToken: string; expiresAt: number; refreshToken?: string | undefined; patient: string }
type Person = { name: { text?: string; given?: string[]; family?: string }[]; birthDate: string }
type Condition = { code?: { text?: string; coding?: { display?: string }[] } }

/** This tab only: gone when the tab is closed. */
const kept = {
  read: <T>(name: string) => JSON.parse(sessionStorage.getItem(name) ?? 'null') as T | null,
  write: (name: string, value: SignIn | Session) => sessionStorage.setItem(name, JSON.stringify(value)),
  drop: (name: string) => sessionStorage.removeItem(name),
}

const config = () =>
  oauth
    .discovery(
      new URL(`${base}/.well-known/smart-configuration`),
      clientId,
      undefined,
      oauth.None(),
      // For a sandbox on this machine; the library refuses http otherwise.
      base.startsWith('http:') ? { execute: [oauth.allowInsecureRequests] } : {},
    )
    .catch((error) => {
      throw new Error(`No SMART configuration at ${base}. ${explain(error)}`)
    })

/** Leaves this page for the server's sign-in and consent pages. */
async function signIn() {
  const verifier = oauth.randomPKCECodeVerifier()
  const [state, nonce] = [oauth.randomState(), oauth.randomNonce()]
  kept.write('sign-in', { verifier, state, nonce })
  location.href = oauth.buildAuthorizationUrl(await config(), {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    aud: base,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/** Back from the server: exchanges the code, once. */
async function finishSignIn() {
  const started = kept.read<SignIn>('sign-in')
  kept.drop('sign-in')
  const returned = new URL(location.href)
  history.replaceState(null, '', redirectUri)
  if (!started) throw new Error('This sign-in did not begin here.')
  const tokens = await oauth.authorizationCodeGrant(await config(), returned, {
    pkceCodeVerifier: started.verifier,
    expectedState: started.state,
    expectedNonce: started.nonce,
    idTokenExpected: true,
  })
  keepTokens(tokens, String(tokens.patient))
}

function keepTokens(
  tokens: oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers,
  patient: string,
) {
  kept.write('session', {
    accessToken: tokens.access_token,
    expiresAt: Date.now() + 1000 * (tokens.expiresIn() ?? 0),
    refreshToken: tokens.refresh_token,
    patient,
  })
}

/** Each refresh token of a public app is good once: the answer brings the next. */
async function refresh() {
  const { refreshToken, patient } = session()
  if (!refreshToken) throw new Error('The token has expired. Sign in again.')
  keepTokens(await oauth.refreshTokenGrant(await config(), refreshToken), patient)
}

function session(): Session {
  const found = kept.read<Session>('session')
  if (!found) throw new Error('You are not signed in.')
  return found
}

async function read<T>(path: string): Promise<T> {
  if (session().expiresAt < Date.now() + 5_000) await refresh()
  const response = await fetch(`${base}/${path}`, {
    headers: { authorization: `Bearer ${session().accessToken}`, accept: 'application/fhir+json' },
  })
  const body = await response.json()
  if (!response.ok) throw new Error(body.issue?.[0]?.diagnostics ?? `The server answers ${response.status}.`)
  return body
}

/** Revoking the refresh token ends what the patient allowed: no token of this sign-in works any more. */
async function signOut() {
  const { refreshToken, accessToken } = session()
  await oauth.tokenRevocation(await config(), refreshToken ?? accessToken)
  kept.drop('session')
}

const element = (id: string) => document.getElementById(id) as HTMLElement

function show(message: string) {
  const signedIn = kept.read<Session>('session') !== null
  element('message').textContent = message
  element('sign-in').hidden = signedIn
  for (const id of ['refresh', 'sign-out', 'record']) element(id).hidden = !signedIn
}

async function showRecord() {
  const { patient } = session()
  // One after the other: two at once would both refresh an expired token, and it is good once.
  const person = await read<Person>(`Patient/${patient}`)
  const found = await read<{ entry?: { resource: Condition }[] }>(`Condition?patient=${patient}&_count=20`)
  const [name] = person.name
  element('name').textContent = name?.text ?? [...(name?.given ?? []), name?.family].join(' ')
  element('born').textContent = `Born ${person.birthDate}`
  const conditions = (found.entry ?? []).map(({ resource: { code } }) => {
    const row = document.createElement('li')
    row.textContent = code?.text ?? code?.coding?.[0]?.display ?? 'Without a name'
    return row
  })
  element('conditions').replaceChildren(...conditions)
}

/** Does something and says how it went. */
async function run(work: () => Promise<unknown>, message: string) {
  try {
    await work()
    show(message)
  } catch (error) {
    show(explain(error))
  }
}

element('sign-in').onclick = () => run(signIn, 'Going to the sign-in page.')
element('refresh').onclick = () => run(() => refresh().then(showRecord), 'The token is new.')
element('sign-out').onclick = () => run(signOut, 'Signed out. The server has revoked the tokens.')

const query = new URLSearchParams(location.search)
if (query.has('code') || query.has('error'))
  void run(() => finishSignIn().then(showRecord), 'You are signed in.')
else if (kept.read('session')) void run(showRecord, 'You are signed in.')
else show('You are not signed in.')
