/** Odd parameters over real connections: each gets a refusal in its interface's own shape, never a fault of the server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fhirOperations } from '../../server/contract/fhir/operations.ts'
import { fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { openWholeServer, type WholeServer } from '../support/whole-server.ts'

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

const get: WholeServer['get'] = (...asked) => whole.get(...asked)

const whole = await openWholeServer()

afterAll(() => whole.close())

/** Those of the requests that were answered by a fault, each as it was sent. */
async function faultsOf(requests: readonly (readonly [string, Parameters<WholeServer['get']>[1]])[]) {
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
          { token: path.includes('Group') ? whole.tokens.backend : whole.tokens.fhir, headers },
        ] as const,
      ]),
    ),
  )

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
      (address) => [address, { token: whole.tokens.key, method, headers, body }] as const,
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

describe('a redirect address with a port that is none', () => {
  test.each(['99999', '65536'])('%s is unknown, on our own page', async (number) => {
    const uri = encodeURIComponent(`http://127.0.0.1:${number}/callback`)

    const answer = await get(
      `/r4/${practice}/authorize?response_type=code&client_id=${whole.client.clientId}&redirect_uri=${uri}&state=x`,
    )

    expect(answer.status).toBe(400)
    expect(answer.headers.location).toBeUndefined()
  })
})

describe('a Group that cannot be', () => {
  beforeAll(async () => {
    whole.tokens.backend = await whole.issueBackend()
  })

  test.each(['%00', 'a%00b', '%20', 'a'.repeat(65)])('%s is 404, as one that is not there', async (id) => {
    const headers = { accept: 'application/fhir+json', prefer: 'respond-async' }
    for (const end of ['', '/$export']) {
      const answer = await get(`/r4/${practice}/Group/${id}${end}`, { token: whole.tokens.backend, headers })

      expect([answer.status, JSON.parse(answer.text).issue[0].code]).toEqual([404, 'not-found'])
    }
  })
})
