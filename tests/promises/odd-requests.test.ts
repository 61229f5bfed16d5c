/**
 * Odd addresses and messages over real connections: each gets a refusal in its interface's own shape, never a fault of
 * the server.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { sendBytes } from '../support/raw-connection.ts'
import { openWholeServer, type WholeServer } from '../support/whole-server.ts'

const practice = 'sandpiper-demonstration'

const get: WholeServer['get'] = (...asked) => whole.get(...asked)

const whole = await openWholeServer()

afterAll(() => whole.close())

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
          token: token && whole.tokens[token],
          ...(headers.origin && { headers }),
        })

        const said = `The path has an extra slash. Use http://127.0.0.1:${whole.port}${right}`
        expect([path, answer.status]).toEqual([path, 404])
        if (right.endsWith('/authorize'))
          expect(answer.text).toContain(`<code>http://127.0.0.1:${whole.port}${right}</code>`)
        else expect(sentenceOf(JSON.parse(answer.text)), answer.text).toBe(said)
        const isOpenToBrowsers = right.startsWith('/r4') && !right.endsWith('/authorize')
        expect(answer.headers['access-control-allow-origin'], path).toBe(isOpenToBrowsers ? '*' : undefined)
      }
    },
  )

  test('does not stop a preflight; its request gets the error', async () => {
    for (const path of [`${fhir}/Patient/`, `${fhir}//token`, '/r4/endpoints/'])
      expect((await get(path, { method: 'OPTIONS' })).status, path).toBe(204)
  })

  test('is named only after the credential was accepted and may use the address', async () => {
    expect((await get(`${fhir}/Patient/`)).status).toBe(401)
    expect((await get(`${sandbox}/patients/`)).status).toBe(401)
    expect((await get(`${sandbox}/keys/`, { token: whole.tokens.key })).status).toBe(403)
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
      const token = path.includes('/Patient')
        ? whole.tokens.fhir
        : path.includes('/patients')
          ? whole.tokens.key
          : null
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
    expect((await sendBytes(whole.port, 'hello\r\n\r\n')).text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
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
      token: whole.tokens.key,
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
        whole.port,
        `GET ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n`,
      )

      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text.toLowerCase()).toContain('connection: close')
    },
  )

  test('no Host header is 400', async () => {
    expect((await sendBytes(whole.port, 'GET /healthz HTTP/1.1\r\n\r\n')).text).toMatch(/^HTTP\/1\.1 400 /)
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
      const key = path.startsWith('/r4') ? whole.tokens.fhir : whole.tokens.key

      const { text, closed } = await sendBytes(
        whole.port,
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${whole.port}\r\nOrigin: http://127.0.0.1:${whole.port}\r\nAuthorization: Bearer ${key}\r\n` +
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
      whole.port,
      `POST /sandbox/api/v1/patients HTTP/1.1\r\nHost: 127.0.0.1:${whole.port}\r\nAuthorization: Bearer ${whole.tokens.key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    )

    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(closed).toBe(false)
  })
})
