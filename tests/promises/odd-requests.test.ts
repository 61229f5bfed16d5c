/**
 * Odd addresses, parameters and messages over real connections: each gets a refusal in its interface's own shape,
 * never a fault of the server.
 */

import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { createApp } from '../../server/app.ts'
import { fhirOperations } from '../../server/contract/fhir/operations.ts'
import { fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { listen } from '../../server/start/listen.ts'
import { fhirStack } from '../support/fhir.ts'
import { sendBytes } from '../support/raw-connection.ts'
import { restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'

const practice = 'sandpiper-demonstration'
/** As they stand in an address. */
const odd = [
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%ED%A0%80',
  '%ED%BF%BF',
  '%C0%AF',
  '%5c',
  '%5C%5C',
  '%2e%2e%2f%2e%2e',
  '..',
  '%0d%0aX-Injected:%201',
  '%F0%9F%92%A9',
  '%E2%80%AE',
  '%EF%BF%BE',
  '%7B%22a%22:1%7D',
  '$',
  '|',
  '-1',
  '1e309',
  '99999999999999999999',
  'a'.repeat(4_000),
]

/** Each of them meets each kind of parameter somewhere, without the whole square of both. */
const oddFor = (place: number, every = 4) => odd.filter((_, at) => (at + place) % every === 0)

type Got = { status: number; text: string; headers: Record<string, string | string[] | undefined> }

let port: number
let server: Awaited<ReturnType<typeof listen>>
let rest: Awaited<ReturnType<typeof restStack>>
let tokens: { fhir: string; backend: string; key: string }
let issueBackend: () => Promise<string>
let client: { clientId: string; redirectUris: readonly string[] }

beforeAll(async () => {
  port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  rest = await restStack({ environment: { PUBLIC_ORIGIN: origin, PORT: String(port) } })
  const { services } = rest
  // The pages themselves are the journeys'; what leads to them is the same.
  const portal = {
    handler: async (asked: Request) => {
      await asked.text()
      return new Response(new URL(asked.url).pathname, { status: 404 })
    },
  }
  server = await listen({
    env: services.env,
    app: createApp(services, portal.handler),
    portal,
  })
  const fhir = await fhirStack({ services })
  issueBackend = async () => (await fhir.issueToken({ audience: 'backend', scope: 'system/*.rs' })).token
  tokens = {
    fhir: (await fhir.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })).token,
    backend: await issueBackend(),
    key: (await rest.issueKey({ level: 'full' })).key,
  }
  const support = smartSupport(services)
  ;({ client } = await support.createClient({
    scope: 'patient/*.rs',
    audience: 'patient',
    redirectUris: ['http://127.0.0.1:4000/callback'],
  }))
}, 60_000)

afterAll(() => server.close(1_000))

/** The path as it stands: no client in between mends it. */
function get(
  path: string,
  {
    token = null,
    method = 'GET',
    body = '',
    headers = {},
  }: {
    token?: string | null
    method?: string
    body?: string
    headers?: Record<string, string>
  } = {},
): Promise<Got> {
  // Else the budgets of the limits end the sweep.
  rest.services.advance(path.includes('/system/') ? 4_000 : 40)
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece) => {
          text += piece
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Those of the requests that were answered by a fault, each as it was sent. */
async function faultsOf(requests: readonly (readonly [string, Parameters<typeof get>[1]])[]) {
  const faults: string[] = []
  for (let at = 0; at < requests.length; at += 8) {
    const answers = await Promise.all(
      requests
        .slice(at, at + 8)
        .map(async ([path, options]) => ({ path, options, answer: await get(path, options) })),
    )
    for (const { path, options, answer } of answers) {
      const isInjected = answer.headers['x-injected'] !== undefined
      // A credential that ended, or a budget that was used up, would hide what is behind it.
      const isHidden = options?.token && [401, 429].includes(answer.status)
      if (answer.status >= 500 || isInjected || isHidden)
        faults.push(`${answer.status} ${path.slice(0, 160)}`)
    }
  }
  return faults
}

const filled = (path: string, value: string) => path.replace(/\{\w+\}/g, () => value)

test('every parameter of a FHIR path', async () => {
  const base = `/r4/${practice}`
  const paths = [
    ...Object.keys(fhirRegistry).map((type) => `${base}/${type}/{id}`),
    ...Object.values(fhirOperations).map(({ type, level, name }) =>
      level === 'type' ? `${base}/${type}/$${name}?patient={id}` : `${base}/${type}/{id}/$${name}`,
    ),
    `${base}/Group/{id}/$export`,
    `${base}/bulk/{id}`,
    `${base}/bulk/{id}/{file}`,
    `${base}/{id}`,
    `${base}/{id}/{id}/{id}`,
    '/r4/{id}',
    '/r4/{id}/metadata',
    '/r4/{id}/Patient',
    '/r4/{id}/.well-known/smart-configuration',
    '/r4/endpoints/{id}',
    '/r4/endpoints?_count={id}',
  ]
  const headers = { accept: 'application/fhir+json', prefer: 'respond-async' }

  const faults = await faultsOf(
    paths.flatMap((path, place) =>
      oddFor(place).flatMap((value) => [
        [
          filled(path, value),
          { token: path.includes('Group') ? tokens.backend : tokens.fhir, headers },
        ] as const,
      ]),
    ),
  )

  expect(faults).toEqual([])
}, 120_000)

test('every parameter of a FHIR search, in the address and in a form', async () => {
  const searches = Object.entries(fhirRegistry).flatMap(([type, { parameters }], row) =>
    [
      ...parameters.filter(({ offered }) => offered !== false).map(({ name }) => name),
      ...['_count', '_sort', '_include', '_revinclude', '_cursor', '_format', '_pretty', '_total', '%00'],
    ].flatMap((name, column) =>
      oddFor(row + column, 22).map((value) => ({ type, query: `${name}=${value}`, value })),
    ),
  )

  const faults = await faultsOf(
    searches.map(({ type, query }, at) => {
      const token = type === 'Group' ? tokens.backend : tokens.fhir
      return at % 3 === 0
        ? ([
            `/r4/${practice}/${type}/_search`,
            {
              token,
              method: 'POST',
              body: query,
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
            },
          ] as const)
        : ([`/r4/${practice}/${type}?${query}`, { token }] as const)
    }),
  )

  expect(searches.length).toBeGreaterThan(250)
  expect(faults).toEqual([])
}, 120_000)

test('every parameter of a REST operation, of the status API and of the portal', async () => {
  const requests = Object.values<OperationRow>(operations).flatMap(({ method, path, query }, place) => {
    const base = `/sandbox/api/v1${path}`
    const names = Object.keys(query?.shape ?? {})
    const addresses = path.includes('{') ? oddFor(place, 2).map((value) => filled(base, value)) : []
    const queries = names.flatMap((name, at) =>
      oddFor(place + at).map((value) => `${filled(base, 'x')}?${name}=${value}`),
    )
    const unknown = oddFor(place, 7).map((value) => `${filled(base, 'x')}?${value}=${value}`)
    const headers: Record<string, string> = method === 'GET' ? {} : { 'content-type': 'application/json' }
    const body = method === 'GET' ? '' : '{"a":"\\ud800","\\u0000":[1e999]}'
    return [...addresses, ...queries, ...unknown].map(
      (address) => [address, { token: tokens.key, method, headers, body }] as const,
    )
  })
  const others = [
    '/api/v1/system/practice-status?id={id}',
    '/api/v1/system/status?{id}={id}',
    '/{id}',
    '/assets/{id}',
    '/docs/{id}',
    '/docs?q={id}',
    '/{id}/{id}',
    '//{id}',
    '/{id}.data',
    '/sandbox/api/v1/{id}',
  ].flatMap((path) => odd.map((value) => [filled(path, value), {}] as const))

  const faults = await faultsOf([...requests, ...others])

  expect(faults).toEqual([])
}, 120_000)

test('every parameter of the authorization server', async () => {
  const base = `/r4/${practice}`
  const proper: Record<string, string> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: encodeURIComponent('http://127.0.0.1:4000/callback'),
    scope: 'patient/*.rs',
    state: 'x',
    aud: encodeURIComponent(`${rest.services.env.FHIR_ORIGIN}${base}`),
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    launch: 'x',
    nonce: 'x',
  }
  const addresses = [
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:4000\\@elsewhere.example/callback',
    'http://[::1]:99999/callback',
    'http://[::1/callback',
  ].map(encodeURIComponent)
  const queryOf = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
  const asked = Object.keys(proper).flatMap((name, place) =>
    [...oddFor(place, 3), ...(name === 'redirect_uri' ? addresses : [])].map((value) =>
      queryOf({ ...proper, [name]: value }),
    ),
  )
  const form = (path: string, body: string) =>
    [
      `${base}/${path}`,
      { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ] as const
  const forms = ['authorize', 'token', 'introspect', 'revoke']

  const faults = await faultsOf([
    ...asked.map((query) => [`${base}/authorize?${query}`, {}] as const),
    ...asked.filter((_, at) => at % 4 === 0).map((query) => form('authorize', query)),
    ...forms.flatMap((path) =>
      [
        'grant_type',
        'code',
        'client_id',
        'client_assertion',
        'token',
        'scope',
        'code_verifier',
        'refresh_token',
      ].flatMap((name, at) => oddFor(at, 7).map((value) => form(path, `${name}=${value}`))),
    ),
  ])

  expect(faults).toEqual([])
}, 120_000)

describe('a redirect address with a port that is none', () => {
  test.each(['99999', '65536'])('%s is unknown, on our own page', async (number) => {
    const uri = encodeURIComponent(`http://127.0.0.1:${number}/callback`)

    const answer = await get(
      `/r4/${practice}/authorize?response_type=code&client_id=${client.clientId}&redirect_uri=${uri}&state=x`,
    )

    expect(answer.status).toBe(400)
    expect(answer.headers.location).toBeUndefined()
  })
})

describe('a Group that cannot be', () => {
  beforeAll(async () => {
    tokens.backend = await issueBackend()
  })

  test.each(['%00', 'a%00b', '%20', 'a'.repeat(65)])('%s is 404, as one that is not there', async (id) => {
    const headers = { accept: 'application/fhir+json', prefer: 'respond-async' }
    for (const end of ['', '/$export']) {
      const answer = await get(`/r4/${practice}/Group/${id}${end}`, { token: tokens.backend, headers })

      expect([answer.status, JSON.parse(answer.text).issue[0].code]).toEqual([404, 'not-found'])
    }
  })
})

describe('an extra slash', () => {
  const fhir = `/r4/${practice}`
  const sandbox = '/sandbox/api/v1'
  const all: [right: string, token: 'fhir' | 'key' | null, method?: string][] = [
    [`${fhir}/metadata`, null],
    [`${fhir}/Patient`, 'fhir'],
    [`${fhir}/Patient/pt-wren-testwell`, 'fhir'],
    [`${fhir}/Patient/pt-wren-testwell/$everything`, 'fhir'],
    [`${fhir}/Patient/_search`, 'fhir', 'POST'],
    [`${fhir}/bulk/1/Patient.ndjson`, 'fhir'],
    ['/r4/endpoints', null],
    ['/r4/endpoints/sandbox', null],
    [`${fhir}/.well-known/smart-configuration`, null],
    [`${fhir}/.well-known/openid-configuration`, null],
    [`${fhir}/.well-known/jwks.json`, null],
    [`${fhir}/token`, null, 'POST'],
    [`${fhir}/introspect`, null, 'POST'],
    [`${fhir}/revoke`, null, 'POST'],
    [`${fhir}/authorize`, null],
    [`${sandbox}/patients`, 'key'],
    [`${sandbox}/patients`, 'key', 'POST'],
    [`${sandbox}/patients/pt-wren-testwell/ccda`, 'key'],
    [`${sandbox}/mcp`, 'key', 'POST'],
    [`${sandbox}/openapi.json`, null],
    ['/api/v1/openapi.json', null],
    ['/api/v1/system/status', null],
    ['/api/v1/system/practice-status', null],
    ['/docs/mcp', null, 'POST'],
  ]
  const wrongOf = (right: string) => [
    `${right}/`,
    `${right}//`,
    ...(right.startsWith('/docs') ? [] : [right.replace(/\/(?=[^/]*$)/, '//'), `/${right}`, `${right}/?x=1`]),
  ]

  test.each(all)(
    'in %s is 404 in the shape of the interface, and names the address',
    async (right, token, method = 'GET') => {
      for (const path of wrongOf(right)) {
        const headers = { origin: token === null && !right.startsWith('/docs') ? 'https://app.example' : '' }
        const answer = await get(path, {
          method,
          token: token && tokens[token],
          ...(headers.origin && { headers }),
        })

        const said = `The path has an extra slash. Use http://127.0.0.1:${port}${right}`
        expect([path, answer.status]).toEqual([path, 404])
        if (right.endsWith('/authorize'))
          expect(answer.text).toContain(`<code>http://127.0.0.1:${port}${right}</code>`)
        else expect(sentenceOf(JSON.parse(answer.text)), answer.text).toBe(said)
        const isOpenToBrowsers = right.startsWith('/r4') && !right.endsWith('/authorize')
        expect(answer.headers['access-control-allow-origin'], path).toBe(isOpenToBrowsers ? '*' : undefined)
      }
    },
  )

  test('does not stop a preflight, whose request is told', async () => {
    for (const path of [`${fhir}/Patient/`, `${fhir}//token`, '/r4/endpoints/'])
      expect((await get(path, { method: 'OPTIONS' })).status, path).toBe(204)
  })

  test('is told to nobody whose credential is missing or wrong, and to no key that may not go there at all', async () => {
    expect((await get(`${fhir}/Patient/`)).status).toBe(401)
    expect((await get(`${sandbox}/patients/`)).status).toBe(401)
    expect((await get(`${sandbox}/keys/`, { token: tokens.key })).status).toBe(403)
  })

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  const sentenceOf = (body: any) =>
    body.issue?.[0].diagnostics ?? body.error_description ?? body.error.message
})

describe('an address that is too long', () => {
  const fhir = `/r4/${practice}`
  const long: [path: string, shape: 'fhir' | 'oauth' | 'rest' | 'page'][] = [
    [`${fhir}/Patient?name=`, 'fhir'],
    [`${fhir}/metadata?x=`, 'fhir'],
    [`${fhir}/.well-known/smart-configuration/`, 'fhir'],
    [`${fhir}/token?x=`, 'oauth'],
    [`${fhir}/authorize?state=`, 'page'],
    ['/r4/endpoints?x=', 'fhir'],
    ['/sandbox/api/v1/patients?q=', 'rest'],
    ['/api/v1/system/practice-status?id=', 'rest'],
  ]
  const sizes = [17_000, 40_000, 60_000, 100_000]

  test.each(long)('at %s… gets a refusal in the shape of its interface', async (path, shape) => {
    for (const size of sizes) {
      const token = path.includes('/Patient') ? tokens.fhir : path.includes('/patients') ? tokens.key : null
      const method = shape === 'oauth' ? 'POST' : 'GET'
      const { status, text, headers } = await get(path + 'a'.repeat(size), { token, method })

      expect(status, `${size} ${text}`).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(size < 64_000 ? 405 : 401)
      if (shape === 'fhir') expect(JSON.parse(text).resourceType).toBe('OperationOutcome')
      if (shape === 'oauth') expect(JSON.parse(text).error).toBe('invalid_request')
      if (shape === 'rest') expect(JSON.parse(text).error.message).toMatch(/\w/)
      if (shape === 'page') expect(text).toContain('<title>')
      expect(headers['access-control-allow-origin']).toBe(
        shape === 'fhir' || shape === 'oauth' ? '*' : undefined,
      )
      expect(headers['x-correlation-id']).toMatch(/^[\w-]{36}$/)
    }
  })

  test('of a page is a page', async () => {
    const { status, text } = await get(`/docs?q=${'a'.repeat(100_000)}`)

    expect([status, text]).toEqual([400, expect.stringContaining('<title>')])
  })

  test('is a sentence for headers that are too long, and never echoes them', async () => {
    const { status, text } = await get(`${fhir}/metadata`, { headers: { cookie: 'secret'.repeat(20_000) } })

    expect([status, JSON.parse(text).issue[0].code]).toEqual([400, 'too-long'])
    expect(text).not.toContain('secret')
  })

  test('does not change what is said to a message that is no HTTP', async () => {
    expect((await sendBytes(port, 'hello\r\n\r\n')).text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })
})

describe('a preflight', () => {
  const fhir = `/r4/${practice}`
  const paths = [
    'Patient',
    'metadata',
    'bulk/1',
    'token',
    'introspect',
    'revoke',
    '.well-known/smart-configuration',
    '.well-known/jwks.json',
  ]
  /** What libraries for requests, caches and tracing add in a browser. */
  const names = [
    'accept',
    'authorization',
    'content-type',
    'prefer',
    'range',
    'if-none-match',
    'cache-control',
    'pragma',
    'x-requested-with',
    'x-correlation-id',
    'x-request-id',
    'traceparent',
    'tracestate',
    'baggage',
    'sentry-trace',
    'b3',
    'x-b3-traceid',
    'x-b3-spanid',
    'x-b3-sampled',
    'x-datadog-trace-id',
    'x-datadog-origin',
    'newrelic',
    'elastic-apm-traceparent',
    'uber-trace-id',
    'x-amzn-trace-id',
    'x-cloud-trace-context',
    'request-id',
    'x-sandbox-fault',
    'anything-else',
  ]

  test.each([...paths.map((path) => `${fhir}/${path}`), '/r4/endpoints'])(
    'at %s allows what browser libraries send',
    async (path) => {
      const { status, headers } = await get(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': names.join(','),
        },
      })

      // https://fetch.spec.whatwg.org/#cors-preflight-fetch: a wildcard is for all but Authorization, and older browsers have none.
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(/, */)
      expect([status, headers['access-control-allow-origin']]).toEqual([204, '*'])
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      expect(allowed).toEqual(
        expect.arrayContaining([
          '*',
          'authorization',
          'cache-control',
          'pragma',
          'x-requested-with',
          'traceparent',
          'tracestate',
          'baggage',
        ]),
      )
      expect(
        names.filter(
          (name) => !allowed.includes(name) && (name === 'authorization' || !allowed.includes('*')),
        ),
      ).toEqual([])
    },
  )

  test('of the REST API allows nothing: a key belongs on a server', async () => {
    const { headers } = await get('/sandbox/api/v1/patients', {
      method: 'OPTIONS',
      token: tokens.key,
      headers: { origin: 'https://app.example' },
    })

    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a message that is not well formed', () => {
  test.each(['/healthz', `/r4/${practice}/metadata`, '/sandbox/api/v1/openapi.json', '/'])(
    'two Host headers are 400 at %s',
    async (path) => {
      const { text } = await sendBytes(
        port,
        `GET ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n`,
      )

      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text.toLowerCase()).toContain('connection: close')
    },
  )

  test('no Host header is 400', async () => {
    expect((await sendBytes(port, 'GET /healthz HTTP/1.1\r\n\r\n')).text).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each([
    ['/sandbox/api/v1/patients', 'application/json'],
    [`/r4/${practice}/Patient/_search`, 'application/x-www-form-urlencoded'],
    [`/r4/${practice}/token`, 'application/x-www-form-urlencoded'],
    ['/sign-in', 'application/x-www-form-urlencoded'],
  ])(
    'a chunked body that is too large at %s is 413 on a connection that says that it closes',
    async (path, type) => {
      const chunk = 'a'.repeat(65_536)
      const pieces = Array.from({ length: 40 }, () => `10000\r\n${chunk}\r\n`)
      const key = path.startsWith('/r4') ? tokens.fhir : tokens.key

      const { text, closed } = await sendBytes(
        port,
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n` +
          `Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
        pieces,
      )

      // OAuth has 400 for it, https://www.rfc-editor.org/rfc/rfc6749#section-5.2
      expect(text).toMatch(path.endsWith('token') ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 413 /)
      const [head = ''] = text.toLowerCase().split('\r\n\r\n')
      expect(head).toContain('connection: close')
      expect(head).not.toContain('keep-alive')
      expect(closed).toBe(true)
    },
  )

  test('a body that was read whole leaves the connection open', async () => {
    const { text, closed } = await sendBytes(
      port,
      `POST /sandbox/api/v1/patients HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${tokens.key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    )

    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(closed).toBe(false)
  })
})
