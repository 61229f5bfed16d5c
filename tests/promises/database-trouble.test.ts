/**
 * Whatever goes wrong between the server and its database and passes by itself is 503 with `Retry-After`, at every
 * interface and in its own shape; a table of the Fault Lab that cannot be read stops nobody.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { loader as directoryPage } from '../../app/public/directory.route.tsx'
import { createApp } from '../../server/app.ts'
import { transientErrors } from '../../server/contract/http/transient-errors.ts'
import { makeKey } from '../../server/contract/keys/key-format.ts'
import { createServices } from '../../server/services.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { restStack } from '../support/rest.ts'
import { slice } from '../support/slice.ts'
import { challenge, demonstration, redirectUri, smartSupport } from '../support/smart.ts'

const patient = 'pt-wren-testwell'

const stack = await restStack({ waitMs: 1_000, environment: { DATABASE_POOL: '4' } })
const { services } = stack
const smart = smartSupport(services)
const gate = await openDatabaseGate(services.database.appUrl)
const server = createServices({
  env: services.env,
  log: services.log,
  appUrl: gate.url,
  clock: services.clock,
})
const app = createApp(server, async (request, context) => {
  try {
    return Response.json(await directoryPage({ request, context, params: {} }))
  } catch (thrown) {
    // What a page throws, Remix makes a page of: here its status is enough.
    return new Response(null, { status: (thrown as { init?: { status?: number } }).init?.status ?? 500 })
  }
})
const key = (await stack.issueWriter({ mcpWrites: true })).key
const token = (await smart.issueToken({ scope: 'user/*.rs', audience: 'clinician' })).access_token
const systemToken = (await smart.issueToken({ scope: 'system/*.rs' })).access_token
const clientId = (await smart.createClient({ scope: 'patient/*.rs' })).client.clientId
// The clock runs ahead with every test.
await services.prisma.accessToken.updateMany({
  data: { expiresAt: new Date(services.clock().getTime() + 86_400_000) },
})
await services.database.ownerPool.query(`
  CREATE TABLE public.trouble (state text);
  CREATE FUNCTION public.trouble() RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
    DECLARE wanted text := (SELECT state FROM public.trouble);
    BEGIN
      IF wanted IS NULL THEN RETURN true; END IF;
      RAISE EXCEPTION 'trouble' USING ERRCODE = wanted;
    END $$;
  ALTER TABLE portal.practice RENAME TO practice_behind;
  CREATE VIEW portal.practice AS SELECT * FROM portal.practice_behind WHERE public.trouble();
  GRANT SELECT ON portal.practice TO ${services.database.appRole};
  ALTER TABLE clinical.live RENAME TO live_behind;
  CREATE VIEW clinical.live AS SELECT * FROM clinical.live_behind WHERE public.trouble();
  GRANT SELECT ON clinical.live TO ${services.database.appRole}`)

beforeEach(() => {
  // No list that was read before is served again, and every window is empty.
  stack.services.advance(65_000)
})

afterAll(async () => {
  await server.close()
  await gate.close()
})

/** From now on every statement that reads a practice, or whether a credential is good, ends with this SQLSTATE; null: with its result. */
async function breakWith(state: string | null): Promise<void> {
  await stack.services.database.ownerPool.query(
    `WITH gone AS (DELETE FROM public.trouble) INSERT INTO public.trouble SELECT $1::text WHERE $1 IS NOT NULL`,
    [state],
  )
}

type Sent = { path: string; method?: string; headers?: Record<string, string>; body?: string }

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
const fhir = `/r4/${demonstration}`
const tool = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

/** One request of every kind that needs the database, and the shape of its errors. */
const requests = (): Record<string, Sent & { shape: 'rest' | 'fhir' | 'oauth' | 'page' }> => {
  const rest = { shape: 'rest' as const, headers: { ...bearer(key), ...json } }
  const mcp = {
    path: '/sandbox/api/v1/mcp',
    method: 'POST',
    shape: 'rest' as const,
    headers: { ...rest.headers, accept: 'application/json, text/event-stream' },
  }
  const read = { shape: 'fhir' as const, headers: bearer(token) }
  const bulk = { accept: 'application/fhir+json', prefer: 'respond-async' }
  const name = { family: 'Testwell', given: ['Rowan'] }
  const authorization = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'patient/*.rs',
    state: 'a state',
    aud: `https://portal.example${fhir}`,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return {
    'REST read': { ...rest, path: `/sandbox/api/v1/patients/${patient}` },
    'REST list': { ...rest, path: '/sandbox/api/v1/patients' },
    'REST write': {
      ...rest,
      path: '/sandbox/api/v1/patients',
      method: 'POST',
      headers: { ...rest.headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ name, birthDate: '1970-01-01' }),
    },
    'REST context': { ...rest, path: '/sandbox/api/v1/context' },
    'REST with a key never seen': {
      ...rest,
      path: '/sandbox/api/v1/context',
      headers: bearer(makeKey('sandbox', randomBytes)),
    },
    'MCP list of tools': { ...mcp, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
    'MCP read': { ...mcp, body: tool('get_patient', { patientId: patient }) },
    'MCP write': {
      ...mcp,
      body: tool('create_patient', { name, birthDate: '1970-01-01', idempotencyKey: randomUUID() }),
    },
    'FHIR read': { ...read, path: `${fhir}/Patient/${patient}` },
    'FHIR search': { ...read, path: `${fhir}/Condition?patient=${patient}` },
    'FHIR everything': { ...read, path: `${fhir}/Patient/${patient}/$everything` },
    'FHIR documents': { ...read, path: `${fhir}/DocumentReference/$docref?patient=${patient}` },
    'FHIR CCD': { ...read, path: `${fhir}/Patient/${patient}/$ccda` },
    'FHIR group': { ...read, path: `${fhir}/Group/gr-all-patients`, headers: bearer(systemToken) },
    'FHIR metadata': { shape: 'fhir', path: `${fhir}/metadata` },
    'FHIR directory': { shape: 'fhir', path: '/r4/endpoints' },
    'bulk kick-off': {
      shape: 'fhir',
      path: `${fhir}/Group/gr-all-patients/$export`,
      headers: { ...bearer(systemToken), ...bulk },
    },
    'bulk status': { shape: 'fhir', path: `${fhir}/bulk/${randomUUID()}`, headers: bearer(systemToken) },
    'SMART configuration': { shape: 'oauth', path: `${fhir}/.well-known/smart-configuration` },
    'SMART keys': { shape: 'oauth', path: `${fhir}/.well-known/jwks.json` },
    'SMART authorize': { shape: 'page', path: `${fhir}/authorize?${authorization}` },
    ...Object.fromEntries(
      Object.entries({
        token: 'grant_type=refresh_token&refresh_token=x',
        introspect: 'token=x',
        revoke: 'token=x',
      }).map(([path, body]) => [
        `SMART ${path}`,
        {
          shape: 'oauth' as const,
          path: `${fhir}/${path}`,
          method: 'POST',
          headers: form,
          body: `${body}&client_id=${clientId}`,
        },
      ]),
    ),
    'practice status': { shape: 'rest', path: `/api/v1/system/practice-status?id=${randomUUID()}` },
    'portal page': { shape: 'page', path: '/directory' },
  }
}

async function send({ path, method = 'GET', headers = {}, body }: Sent) {
  const init: RequestInit = { method, headers, ...(body !== undefined && { body }) }
  const response = await app.fetch(new Request(`https://portal.example${path}`, init), {
    incoming: { socket: { remoteAddress: `192.0.2.${Math.floor(Math.random() * 250)}` } },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** What of a 503 is not as its interface promises it. */
function faultsOf(name: string, shape: string, { status, headers, text }: Awaited<ReturnType<typeof send>>) {
  const found: string[] = []
  if (status !== 503) found.push(`${name}: ${status} ${text.slice(0, 200)}`)
  if (!/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) found.push(`${name}: no Retry-After`)
  if (/trouble|ECONN|terminated|SQL|prisma/i.test(text))
    found.push(`${name}: says why: ${text.slice(0, 200)}`)
  const body = shape === 'page' ? null : JSON.parse(text || 'null')
  if (shape === 'rest' && body?.error?.code !== 'unavailable') found.push(`${name}: no envelope`)
  if (shape === 'fhir' && body?.resourceType !== 'OperationOutcome') found.push(`${name}: no outcome`)
  if (shape === 'oauth' && body?.error !== 'temporarily_unavailable') found.push(`${name}: no OAuth error`)
  return found
}

/** Sends every request and returns what is wrong with its answers. */
async function sweep(): Promise<string[]> {
  const found: string[] = []
  for (const [name, { shape, ...request }] of Object.entries(requests()))
    found.push(...faultsOf(name, shape, await send(request)))
  return found
}

/** The connection of the logs waits a moment between two attempts. */
const servedAgain = () =>
  expect
    .poll(async () => (await send(requests()['REST context'] as Sent)).status, {
      timeout: 10_000,
      interval: 200,
    })
    .toBe(200)

const sqlStates = [...new Set(transientErrors.flatMap((row) => row.sqlStates ?? []))].map((state) =>
  state.length === 2 ? `${state}000` : state,
)

test('without trouble every request of the sweep is served or refused for what it asks', async () => {
  const answers: string[] = []
  for (const [name, request] of Object.entries(requests())) {
    const { status, text } = await send(request)
    if (status >= 500) answers.push(`${name}: ${status} ${text}`)
  }

  expect(answers).toEqual([])
})

describe('every error of the database that passes by itself is 503 with Retry-After at every interface', () => {
  test.each(slice([...sqlStates, '53300', '57P01', '57P03', '08006', '40001', '40P01'], 3))(
    '%s',
    async (state) => {
      await breakWith(state)
      try {
        expect(await sweep()).toEqual([])
      } finally {
        await breakWith(null)
      }
    },
  )

  test('an error that does not pass stays 500, without Retry-After', async () => {
    await breakWith('22012')
    try {
      const { status, headers } = await send({ path: `${fhir}/metadata` })
      expect([status, headers.get('retry-after')]).toEqual([500, null])
    } finally {
      await breakWith(null)
    }
  })
})

describe('without a connection', () => {
  test('that is refused, requests are 503, and served again once there is one', async () => {
    await gate.shut()
    const found = await sweep()
    await gate.open()

    expect(found).toEqual([])
    await servedAgain()
  })

  test('that is taken and closed at once, as by a proxy, requests are 503', async () => {
    await gate.refuse()
    const found = await sweep()
    await gate.open()

    expect(found).toEqual([])
    await servedAgain()
  })

  test('that hangs, requests are 503 within seconds, and served again once it does not', async () => {
    gate.hang()
    const began = performance.now()
    const found = (
      await Promise.all(
        Object.entries(requests()).map(async ([name, { shape, ...request }]) =>
          faultsOf(name, shape, await send(request)),
        ),
      )
    ).flat()
    const seconds = (performance.now() - began) / 1_000
    await gate.open()

    expect(found).toEqual([])
    expect(seconds).toBeLessThan(15)
    await servedAgain()
  })

  test('that is cut in the middle of a statement, the request is 503', async () => {
    const lock = await stack.services.database.ownerPool.connect()
    await lock.query(
      'BEGIN; LOCK TABLE portal.practice_behind, clinical.live_behind IN ACCESS EXCLUSIVE MODE',
    )
    const waiting = Object.entries(requests()).map(async ([name, { shape, ...request }]) =>
      faultsOf(name, shape, await send(request)),
    )
    await expect
      .poll(() => stack.services.database.cut("wait_event_type = 'Lock'"), { timeout: 10_000, interval: 100 })
      .toBeGreaterThan(0)
    const cutting = setInterval(() => void stack.services.database.cut("wait_event_type = 'Lock'"), 200)
    const found = (await Promise.all(waiting)).flat()
    clearInterval(cutting)
    await lock.query('ROLLBACK')
    lock.release()

    expect(found).toEqual([])
  })
})

describe('the Fault Lab fails open', () => {
  const calls = ['REST context', 'REST read', 'MCP read', 'FHIR read']

  test('while its table is locked, sandbox requests are served without faults, and at once', async () => {
    const lock = await stack.services.database.ownerPool.connect()
    await lock.query('BEGIN; LOCK TABLE portal.fault_switch IN ACCESS EXCLUSIVE MODE')
    try {
      const began = performance.now()
      const statuses: number[] = []
      for (const name of calls) statuses.push((await send(requests()[name] as Sent)).status)
      expect(statuses).toEqual([200, 200, 200, 200])
      // Four calls that waited for the lock would take a statement's limit each.
      expect(performance.now() - began).toBeLessThan(10_000)
    } finally {
      await lock.query('ROLLBACK')
      lock.release()
    }
  })

  test('while its table cannot be read, sandbox requests are served without faults', async () => {
    await stack.services.database.ownerPool.query(
      'ALTER TABLE portal.fault_switch RENAME TO fault_switch_gone',
    )
    try {
      const statuses: number[] = []
      for (const name of calls) statuses.push((await send(requests()[name] as Sent)).status)
      expect(statuses).toEqual([200, 200, 200, 200])
    } finally {
      await stack.services.database.ownerPool.query(
        'ALTER TABLE portal.fault_switch_gone RENAME TO fault_switch',
      )
    }
  })
})
