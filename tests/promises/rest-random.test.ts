import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { errorSchema, patientListSchema, patientSchema } from '../../server/contract/records.ts'
import { type RestStack, restStack } from '../support/rest.ts'

let stack: RestStack
let key: string
let requests = 0

beforeAll(async () => {
  stack = await restStack()
  key = (await stack.issueKey({ level: 'full' })).key
})

/** Never more in a second or a minute than the key may. */
async function call(path: string, method = 'GET', headers: Record<string, string> = {}) {
  if (++requests % 50 === 0) stack.services.advance(1_000)
  return stack.call(path, { key, method, headers })
}

const settings = { seed: 20261120, numRuns: 200 }
const text = fc.string({ unit: 'grapheme', maxLength: 140 })
const name = fc.oneof(fc.constantFrom('q', 'mrn', 'dob', 'limit', 'offset', '__proto__', 'constructor'), text)
const value = fc.oneof(
  text,
  fc.integer().map(String),
  fc.constantFrom(
    '1985-02-29',
    '9999-12-31',
    "' OR 1=1 --",
    '%',
    '\\',
    '\u{10ffff}',
    '100',
    '0',
    '-0',
    'NaN',
    '1e3',
  ),
)
const encoded = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((pairs) => pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'))
const raw = fc
  .array(
    fc.constantFrom('&', '=', '%', '%zz', '%c3', '%28', '+', 'q', 'limit', '25', ';', '[', ']', '?', '%00'),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test('whatever the query string, the answer is a promised one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(encoded, raw), async (query) => {
      const { status, body } = await call(`/patients?${query}`)

      expect([200, 400]).toContain(status)
      expect((status === 200 ? patientListSchema : errorSchema).safeParse(body).success).toBe(true)
    }),
    settings,
  )
})

test('whatever the id, the answer is the patient or that there is none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.constant('pt-wren-testwell')), async (id) => {
      const { status, body } = await call(`/patients/${encodeURIComponent(id)}`)

      if (id === '' || id === '.' || id === '..') return
      expect([200, 404, 403]).toContain(status)
      expect((status === 200 ? patientSchema : errorSchema).safeParse(body).success).toBe(true)
    }),
    settings,
  )
})

test('whatever the path, method and purpose, the answer is no fault of ours', async () => {
  const segment = fc.oneof(
    text.map(encodeURIComponent),
    fc.constantFrom('patients', 'context', 'keys', 'mcp', '..', '%2e'),
  )
  const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`)
  const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND')
  const purpose = fc.constantFrom('operations', 'treatment', 'x', '')

  await fc.assert(
    fc.asyncProperty(path, method, purpose, async (path, method, purpose) => {
      const { status } = await call(path, method, { 'x-purpose': purpose })

      expect(status).toBeLessThan(500)
    }),
    settings,
  )
})

test('whatever the Authorization header, the answer is the one 401', async () => {
  const header = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 80 }).filter((header) => !/[\0\r\n]/.test(header)),
    fc.string({ maxLength: 60 }).map((secret) => `Bearer svc_t${secret}`),
  )

  await fc.assert(
    fc.asyncProperty(header, async (authorization) => {
      if (++requests % 50 === 0) stack.services.advance(1_000)
      const { status, body } = await stack.call('/context', { authorization })

      expect(status).toBe(401)
      expect(body.error.code).toBe('unauthorized')
    }),
    settings,
  )
})
