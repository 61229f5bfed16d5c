/** A clinician's app on a server: opened from a chart in the EHR, it keeps tokens here and the browser has a cookie. */
import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import * as oauth from 'openid-client'
import { explain } from '../shared/explain.ts'
import { discover, ownKeyPair } from '../shared/key-pair.ts'
import { readOptions, samplePorts } from '../shared/options.ts'

const scope =
  'launch openid fhirUser offline_access patient/Patient.rs patient/Condition.rs user/Practitioner.rs'

type Launch = { verifier: string; state: string; nonce: string }
type Session = {
  accessToken: string
  expiresAt: number
  refreshToken: string | undefined
  /** The patient whose chart was open. */
  patient: string
  fhirUser: string
}
type Named = { name: { text?: string; given?: string[]; family?: string }[] }
type Condition = { code?: { text?: string; coding?: { display?: string }[] } }

const { base, clientId, port, folder } = readOptions(samplePorts.clinician)
const keyPair = await ownKeyPair(folder)
const config = await discover(base, clientId, keyPair)
const origin = `http://127.0.0.1:${port}`
const redirectUri = `${origin}/callback`

/** In memory: they end with this process. A real app keeps them in its database, encrypted. */
const launches = new Map<string, Launch>()
const sessions = new Map<string, Session>()
const cookie = { httpOnly: true, sameSite: 'Lax', path: '/' } as const

const app = new Hono()

/** The EHR opens this address, with its FHIR base and what stands for the open chart. */
app.get('/launch', async (c) => {
  const { iss, launch } = c.req.query()
  // Only bases that you know: any page on the web can open this address with a server of its own.
  if (iss?.replace(/\/+$/, '') !== base)
    throw new Error(`This app is set up for ${base} and no other server.`)
  if (!launch) throw new Error('The EHR sent no launch parameter.')
  const started = {
    verifier: oauth.randomPKCECodeVerifier(),
    state: oauth.randomState(),
    nonce: oauth.randomNonce(),
  }
  const id = randomUUID()
  launches.set(id, started)
  // Ties the answer to the browser that began.
  setCookie(c, 'launch', id, { ...cookie, maxAge: 600 })
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    launch,
    state: started.state,
    nonce: started.nonce,
    aud: base,
    code_challenge: await oauth.calculatePKCECodeChallenge(started.verifier),
    code_challenge_method: 'S256',
  })
  return c.redirect(url.href)
})

app.get('/callback', async (c) => {
  const id = getCookie(c, 'launch') ?? ''
  const started = launches.get(id)
  launches.delete(id)
  deleteCookie(c, 'launch', cookie)
  if (!started)
    throw new Error('This launch did not begin in this browser. Open the app from the chart again.')
  const returned = new URL(`${redirectUri}${new URL(c.req.url).search}`)
  const tokens = await oauth.authorizationCodeGrant(config, returned, {
    pkceCodeVerifier: started.verifier,
    expectedState: started.state,
    expectedNonce: started.nonce,
    idTokenExpected: true,
  })
  const session = randomUUID()
  keepTokens(session, tokens, {
    patient: String(tokens.patient),
    fhirUser: String(tokens.claims()?.fhirUser),
  })
  setCookie(c, 'session', session, cookie)
  return c.redirect('/')
})

app.get('/', async (c) => {
  if (!sessions.has(sessionId(c)))
    return c.html(page('Sample clinician app', html`<p>Open this app from a chart.</p>`))
  const { patient, fhirUser } = session(c)
  const person = await read<Named>(c, `Patient/${patient}`)
  const user = await read<Named>(c, fhirUser.slice(base.length + 1))
  const found = await read<{ entry?: { resource: Condition }[] }>(c, `Condition?patient=${patient}&_count=20`)
  const rows = (found.entry ?? []).map(
    ({ resource: { code } }) =>
      html`<li>${code?.text ?? code?.coding?.[0]?.display ?? 'Without a name'}</li>`,
  )
  return c.html(
    page(
      nameOf(person),
      html`<p>Signed in: ${nameOf(user)}</p>
        <h2>Conditions</h2>
        <ul>${rows}</ul>
        <form method="post" action="/refresh"><button>Refresh token</button></form>
        <form method="post" action="/sign-out"><button>Sign out</button></form>`,
    ),
  )
})

app.post('/refresh', async (c) => {
  await refresh(c)
  return c.redirect('/')
})

/** Revoking the refresh token ends what the clinician allowed: no token of this launch works any more. */
app.post('/sign-out', async (c) => {
  const { refreshToken, accessToken } = session(c)
  await oauth.tokenRevocation(config, refreshToken ?? accessToken)
  sessions.delete(sessionId(c))
  deleteCookie(c, 'session', cookie)
  return c.html(page('Signed out', html`<p>The server has revoked the tokens.</p>`))
})

app.onError((error, c) => {
  console.error(explain(error))
  return c.html(page('This did not work', html`<p role="alert">${explain(error)}</p>`), 400)
})

const sessionId = (c: Context) => getCookie(c, 'session') ?? ''

function session(c: Context): Session {
  const found = sessions.get(sessionId(c))
  if (!found) throw new Error('You are signed out. Open the app from the chart again.')
  return found
}

function keepTokens(
  id: string,
  tokens: oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers,
  context: Pick<Session, 'patient' | 'fhirUser'>,
) {
  sessions.set(id, {
    ...context,
    accessToken: tokens.access_token,
    expiresAt: Date.now() + 1000 * (tokens.expiresIn() ?? 0),
    refreshToken: tokens.refresh_token ?? sessions.get(id)?.refreshToken,
  })
}

async function refresh(c: Context) {
  const { refreshToken, ...context } = session(c)
  if (!refreshToken) throw new Error('The token has expired. Open the app from the chart again.')
  keepTokens(sessionId(c), await oauth.refreshTokenGrant(config, refreshToken), context)
}

async function read<T>(c: Context, path: string): Promise<T> {
  if (session(c).expiresAt < Date.now() + 5_000) await refresh(c)
  const response = await fetch(`${base}/${path}`, {
    headers: { authorization: `Bearer ${session(c).accessToken}`, accept: 'application/fhir+json' },
  })
  const body = await response.json()
  if (!response.ok) throw new Error(body.issue?.[0]?.diagnostics ?? `The server answers ${response.status}.`)
  return body
}

function nameOf({ name: [name] }: Named): string {
  return name?.text ?? [...(name?.given ?? []), name?.family].join(' ')
}

function page(title: string, body: ReturnType<typeof html>) {
  return html`<!doctype html><html lang="en"><meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" /><title>${title}</title>
    <link rel="icon" href="data:," />
    <style>:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
      body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem }</style>
    <h1>${title}</h1>${body}</html>`
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () =>
  console.log(`Ready. Launch ${origin}/launch from a chart: in the portal, Sandbox, Launch simulator.`),
)
