/**
 * The example app at work: it goes the whole way of a launch as a client on a server would, over the wire, and writes
 * down what it sees. Codes and tokens are held in its memory and nowhere else.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type { LaunchKind } from '../../contract/lab/launch-lab.ts'
import { launchKindRow } from '../../contract/lab/launch-lab.ts'
import type { Core } from '../../domain/core.ts'
import * as examples from './example-apps.ts'
import { exampleScopes } from './example-apps.ts'
import { noteStep } from './exchange-log.ts'
import type { StartedSimulation } from './simulations.ts'

type Body = Record<string, unknown>
type Run = StartedSimulation & { kind: LaunchKind; tokenUrl: string; authorizeUrl: string; jwksUrl: string }

const waitMs = 30_000
const form = { 'content-type': 'application/x-www-form-urlencoded' } as const

async function discover(core: Core, { id, iss }: StartedSimulation) {
  const url = `${iss}/.well-known/smart-configuration`
  const answer = await reach(core, url, { method: 'GET' })
  const body = await bodyOf(answer)
  const names = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
  const [authorizeUrl, tokenUrl, jwksUrl] = names.map((name) => body[name])
  const ok = typeof authorizeUrl === 'string' && typeof tokenUrl === 'string' && typeof jwksUrl === 'string'
  const came = {
    status: answer?.status ?? 'no response',
    ...Object.fromEntries(names.map((name) => [name, body[name]])),
  }
  await noteStep(core, id, { step: 'discovery', ok, sent: { url }, came })
  return ok ? { authorizeUrl, tokenUrl, jwksUrl } : null
}

async function personToken(core: Core, run: Run): Promise<Body | null> {
  const { id, clientId, iss, launch, kind, authorizeUrl } = run
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const redirectUri = examples.redirectUri(core)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: exampleScopes[launchKindRow(kind).audience],
    state,
    aud: iss,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(launch !== null && { launch }),
  })
  const answer = await reach(core, `${authorizeUrl}?${query}`, { method: 'GET' })
  const location = answer?.headers.get('location') ?? ''
  const back = URL.canParse(location) ? new URL(location).searchParams : new URLSearchParams()
  const [code, error] = [back.get('code'), back.get('error')]
  const isOwn = back.get('state') === state
  await noteStep(core, id, {
    step: 'returned',
    ok: isOwn && code !== null,
    sent: { state },
    came: Object.fromEntries(back),
    note: sayReturned({ isOwn, error, hasCode: code !== null }),
  })
  if (!isOwn || code === null) return null
  return ask(core, run.tokenUrl, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: clientId,
  })
}

async function systemToken(core: Core, { clientId, tokenUrl }: Run): Promise<Body | null> {
  return ask(core, tokenUrl, {
    grant_type: 'client_credentials',
    scope: exampleScopes.backend,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await examples.signAssertion(core, clientId, tokenUrl),
  })
}

/** What came is in the log already: the authorization server has written it. */
async function ask(core: Core, tokenUrl: string, fields: Record<string, string>): Promise<Body | null> {
  const answer = await reach(core, tokenUrl, {
    method: 'POST',
    headers: form,
    body: new URLSearchParams(fields).toString(),
  })
  const body = await bodyOf(answer)
  return answer?.status === 200 ? body : null
}

async function verify(core: Core, { id, iss, clientId, jwksUrl }: Run, idToken: string): Promise<void> {
  const { clock } = core
  const keys = await bodyOf(await reach(core, jwksUrl, { method: 'GET' }))
  const expected = { issuer: iss, audience: clientId, currentDate: clock() }
  try {
    const { payload } = await jwtVerify(
      idToken,
      createLocalJWKSet(keys as unknown as JSONWebKeySet),
      expected,
    )
    const { sub, fhirUser } = payload
    await noteStep(core, id, { step: 'verify', ok: true, sent: { jwks: jwksUrl }, came: { sub, fhirUser } })
  } catch {
    await noteStep(core, id, {
      step: 'verify',
      ok: false,
      sent: { jwks: jwksUrl },
      came: {},
      note: 'The signature is invalid. The app must not sign this person in.',
    })
  }
}

async function readPatient(core: Core, { id, iss, kind }: Run, { access_token: token, patient }: Body) {
  const inContext = typeof patient === 'string'
  const other = kind === 'backend' ? 'Group?_count=1' : 'Patient?_count=1'
  const url = `${iss}/${inContext ? `Patient/${patient}` : other}`
  const answer = await reach(core, url, {
    method: 'GET',
    headers: { authorization: `Bearer ${String(token)}` },
  })
  const { resourceType, id: resourceId, total } = await bodyOf(answer)
  const ok = answer?.status === 200
  await noteStep(core, id, {
    step: 'read',
    ok,
    sent: { url },
    came: {
      status: answer?.status ?? 'no response',
      resourceType,
      id: resourceId,
      ...(total !== undefined && { total }),
    },
    ...(!inContext &&
      kind !== 'backend' && {
        note: 'The token response contains no patient. The app can’t know whose chart to open.',
      }),
  })
}

async function reach({ env, send }: Core, url: string, init: RequestInit): Promise<Response | null> {
  const { pathname, search } = new URL(url)
  const address = env.PROBE_ORIGIN ? `${env.PROBE_ORIGIN}${pathname}${search}` : url
  try {
    return await send(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(waitMs) })
  } catch {
    return null
  }
}

/** Never throws for what goes wrong in the launch: that is what the log is for. */
export async function run(core: Core, started: StartedSimulation, kind: LaunchKind): Promise<void> {
  const found = await discover(core, started)
  if (found === null) return
  const going: Run = { ...started, kind, ...found }
  const token = kind === 'backend' ? await systemToken(core, going) : await personToken(core, going)
  if (token === null) return
  if (typeof token.id_token === 'string') await verify(core, going, token.id_token)
  await readPatient(core, going, token)
  if (typeof token.refresh_token === 'string')
    await ask(core, going.tokenUrl, {
      grant_type: 'refresh_token',
      refresh_token: token.refresh_token,
      client_id: started.clientId,
    })
}

async function bodyOf(answer: Response | null): Promise<Body> {
  const body: unknown = await answer?.json().catch(() => null)
  return typeof body === 'object' && body !== null ? (body as Body) : {}
}

function sayReturned({ isOwn, error, hasCode }: { isOwn: boolean; error: string | null; hasCode: boolean }) {
  if (!isOwn)
    return 'The state differs from the one that was sent. The app discards the response and exchanges nothing.'
  if (error !== null) return `The app shows that access was denied: ${error}.`
  return hasCode
    ? 'The state matches the one that was sent.'
    : 'The response has neither a code nor an error.'
}
