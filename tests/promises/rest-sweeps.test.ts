/** Promises swept over the table of operations: every operation × every caller that is refused. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { problems } from '../../server/contract/http/problems.ts'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { masked } from '../support/masked.ts'
import { type CallOptions, restStack } from '../support/rest.ts'

const rows = Object.entries<OperationRow>(operations).filter(([, row]) => row.level !== 'none')
const writes = rows.filter(([, row]) => row.body !== undefined)
const withId = rows.filter(([, row]) => row.params !== undefined)

const stack = await restStack()
const writer = await stack.issueWriter()

/** The example in the operation's schema is a record of the sandbox. */
function exampleId({ params }: OperationRow): string {
  if (params === undefined) return ''
  const { properties } = z.toJSONSchema(params, { io: 'input' })
  return String(Object(properties?.id).examples?.[0])
}

function ask(row: OperationRow, options: CallOptions = {}, { id = exampleId(row), query = '' } = {}) {
  const path = `${row.path.replace('{id}', id)}${query}`
  return row.body === undefined
    ? stack.call(path, { ...options, method: row.method })
    : stack.post(path, row.bodyExample, options)
}

const envelope = (kind: keyof typeof problems, message: string = problems[kind].message) =>
  JSON.stringify({ error: { code: problems[kind].restCode, message, correlationId: 'masked' } })

describe.each(rows)('%s', (_id, row) => {
  test('answers a good key with what the contract says', async () => {
    const answer = await ask(row, { key: writer.key })

    const given = row.mediaTypes === undefined ? answer.body : answer.text
    expect(answer.status).toBe(row.status ?? 200)
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe(row.mediaTypes?.[0] ?? 'application/json')
    expect(row.response.parse(given)).toEqual(given)
    expect(answer.headers.get('ratelimit')).not.toBeNull()
  })

  test('answers a key over its limit with 429 and when to come again', async () => {
    const { key } = await stack.issueWriter()
    await Promise.all(Array.from({ length: 150 }, () => stack.call('/nowhere', { key })))

    const answer = await ask(row, { key })

    expect(answer.status).toBe(429)
    expect(masked(answer.text)).toBe(envelope('rate_limited'))
    expect(answer.headers.get('retry-after')).toBe('1')
  })

  test('knows no other query parameter and no other purpose', async () => {
    const unknown = await ask(row, { key: writer.key }, { query: '?verbose=1' })
    const purpose = await ask(row, { key: writer.key, headers: { 'x-purpose': 'fun' } })

    expect(masked(unknown.text)).toBe(envelope('validation', 'Unknown query parameter: verbose.'))
    expect(unknown.status).toBe(400)
    expect(purpose.status).toBe(400)
    expect(purpose.body.error.message).toMatch(/^X-Purpose must be one of /)
  })

  test('answers a method it does not have with 405 and those it has', async () => {
    const answer = await stack.call(row.path.replace('{id}', 'x'), { key: writer.key, method: 'DELETE' })

    expect(answer.status).toBe(405)
    expect(masked(answer.text)).toBe(envelope('method_not_allowed'))
    expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining([row.method, 'OPTIONS']))
    expect(answer.headers.get('allow')?.includes('HEAD')).toBe(
      rows.some(([, each]) => each.path === row.path && each.method === 'GET'),
    )
  })
})

describe.each(writes)('%s', (_id, row) => {
  test('tells a read-only key that it is, before anything about path or body', async () => {
    const { key } = await stack.issueKey()

    const answer = await stack.post(row.path, 'no json', { key })

    expect(answer.status).toBe(403)
    expect(masked(answer.text)).toBe(envelope('read_only'))
  })

  test('takes nothing but JSON of a megabyte at most', async () => {
    const plain = await stack.call(row.path, { key: writer.key, method: 'POST', body: '{}' })
    const long = await stack.post(row.path, `"${'x'.repeat(1_048_577)}"`, { key: writer.key })
    const broken = await stack.post(row.path, '{', { key: writer.key })

    expect(masked(plain.text)).toBe(envelope('unsupported_media_type'))
    expect(plain.status).toBe(415)
    expect(masked(long.text)).toBe(envelope('payload_too_large'))
    expect(long.status).toBe(413)
    expect(masked(broken.text)).toBe(envelope('malformed_json'))
    expect(broken.status).toBe(400)
  })
})

describe.each(withId)('%s', (_id, row) => {
  test('answers about another practice’s record as about none, byte for byte', async () => {
    const { key } = await stack.issueKey({ practice: 'juniper-point', environment: 'production' })

    const other = await ask(row, { key, base: 'production' }, { id: 'pr-ines-placeholder' })
    const missing = await ask(row, { key, base: 'production' }, { id: 'nobody-at-all' })

    expect(other.status).toBe(404)
    expect(masked(other.text)).toBe(envelope('not_found'))
    expect(masked(missing.text)).toBe(masked(other.text))
  })
})
