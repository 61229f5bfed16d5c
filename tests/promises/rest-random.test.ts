import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorSchema, patientSchema } from '../../server/contract/rest/records.ts'
import { checkRandomRequests } from '../support/random-promises.ts'
import { restStack } from '../support/rest.ts'
import { runsAll } from '../support/slice.ts'

let requests = 0

const stack = await restStack()
const key = (await stack.issueKey({ level: 'full' })).key

/** Never more in a second or a minute than the key may. */
async function call(path: string, method = 'GET', headers: Record<string, string> = {}) {
  if (++requests % 50 === 0) stack.services.advance(1_000)
  return stack.call(path, { key, method, headers })
}

const settings = { seed: 20261120, numRuns: runsAll ? 200 : 60 }
const text = fc.string({ unit: 'grapheme', maxLength: 140 })
test('whatever the body or query string, the answer is a promised one and what is written is whole', async () => {
  await checkRandomRequests(stack, { runs: runsAll ? 150 : 50 })
}, 20_000)

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
    fc.constantFrom(
      'patients',
      'encounters',
      'locations',
      'providers',
      'context',
      'keys',
      'mcp',
      '..',
      '%2e',
    ),
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
