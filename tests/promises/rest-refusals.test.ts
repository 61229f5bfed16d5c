import { beforeAll, describe, expect, test } from 'vitest'
import { structuralRefusals } from '../../server/contract/rest/refusals.ts'
import { type RestStack, restStack } from '../support/rest.ts'

let stack: RestStack

beforeAll(async () => {
  stack = await restStack()
})

describe('a good key', () => {
  test('may do none of the structurally refused things, at either level and by any method', async () => {
    const keys = await Promise.all([
      stack.issueKey({ level: 'full' }),
      stack.issueKey({ level: 'read_only' }),
    ])

    for (const [name, { paths }] of Object.entries(structuralRefusals)) {
      for (const pattern of paths) {
        const path = pattern.replace('{}', 'pt-wren-testwell').replace('/**', '/anything')
        for (const [index, method] of ['GET', 'POST', 'PUT', 'DELETE'].entries()) {
          const answer = await stack.call(path, { key: keys[index % 2]?.key ?? '', method })
          expect(answer.status, `${method} ${path}`).toBe(403)
          expect(answer.body.error.code).toBe('forbidden')
          expect(answer.body.error.message).toBe('No API key may do this, whatever its access level.')
        }
      }
      stack.services.advance(1_000)
      const last = await stack.call(firstPathOf(name), { key: keys[0]?.key ?? '' })
      expect(await stack.refusalsOf([last.body.error.correlationId])).toEqual([`structural:${name}`])
    }
  })

  test('that is read-only may write nothing and is told why, but may POST to the MCP server', async () => {
    const { key } = await stack.issueKey({ level: 'read_only' })

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/patients', '/patients/pt-wren-testwell', '/nowhere']) {
        const answer = await stack.call(path, { key, method })
        expect(answer.status).toBe(403)
        expect(answer.body.error.message).toBe('This API key is read-only: it may not write.')
      }
    }
    expect((await stack.call('/mcp', { key, method: 'POST' })).status).not.toBe(403)
  })

  test('gets 405 with the methods a path answers, and OPTIONS tells them, without CORS', async () => {
    const { key } = await stack.issueKey({ level: 'full' })

    const refused = await stack.call('/patients', { key, method: 'DELETE' })
    const options = await stack.call('/patients', {
      key,
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    })

    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect([...options.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('gets 404 for a path that is not there, the base itself and a slash too many', async () => {
    const { key } = await stack.issueKey()

    for (const path of ['', '/', '/nowhere', '/patients/', '//patients', '/Patients', '/patients/a/b']) {
      expect((await stack.call(path, { key })).status, path).toBe(404)
    }
  })

  test.each([
    ['limit=101', 'limit must be a whole number from 1 to 100.'],
    ['limit=0', 'limit must be a whole number from 1 to 100.'],
    ['limit=', 'limit must be a whole number from 1 to 100.'],
    ['limit=1e1', 'limit must be a whole number from 1 to 100.'],
    ['limit=25&limit=25', 'limit is given twice.'],
    ['offset=-1', 'offset must be a whole number from 0 to 1000000.'],
    ['dob=1985-13', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['dob=1985-02-30', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['dob=85', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['dob=0000', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['q=', 'q must have 1 to 100 characters, none of them a control character.'],
    [`q=${'a'.repeat(101)}`, 'q must have 1 to 100 characters, none of them a control character.'],
    [`mrn=${'1'.repeat(65)}`, 'mrn must have 1 to 64 characters, none of them a control character.'],
    ['q=%0a', 'q must have 1 to 100 characters, none of them a control character.'],
    ['name=Testwell', 'Unknown query parameter: name.'],
    ['name=x&Q=y', 'Unknown query parameters: name, Q.'],
    ['__proto__=x', 'Unknown query parameter: __proto__.'],
    ['q=%00', 'The query string contains a NUL character.'],
    ['q=%ff', 'The query string is not percent-encoded UTF-8.'],
    ['q=%', 'The query string is not percent-encoded UTF-8.'],
  ])('is told what is wrong with ?%s', async (query, message) => {
    const { key } = await stack.issueKey()

    const answer = await stack.call(`/patients?${query}`, { key })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'validation', message })
  })

  test('may name a purpose, of the list', async () => {
    const { key } = await stack.issueKey()
    const withPurpose = (purpose: string) =>
      stack.call('/context', { key, headers: { 'x-purpose': purpose } })

    expect((await withPurpose('treatment')).status).toBe(200)
    for (const purpose of ['', 'Treatment', 'marketing', 'toString']) {
      const answer = await withPurpose(purpose)
      expect(answer.status).toBe(400)
      expect(answer.body.error.message).toMatch(/^X-Purpose must be one of operations, treatment/)
    }
  })
})

function firstPathOf(name: string): string {
  const [first = ''] = structuralRefusals[name as keyof typeof structuralRefusals].paths
  return first.replace('/**', '')
}
