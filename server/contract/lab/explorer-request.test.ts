import { expect, test } from 'vitest'
import { answersByLevel } from '../rest/predicted-responses.ts'
import { buildRequest, explorerOperations } from './explorer-request.ts'

const blank = { params: {}, query: {}, headers: {}, body: undefined }
const operations = Object.entries(explorerOperations)

test.each(operations)('%s is made from its row', (operation, row) => {
  const params = Object.fromEntries(Object.keys(row.params?.shape ?? {}).map((name) => [name, 'pt-a.b_c~1']))
  const built = buildRequest({ ...blank, operation, params, body: row.bodyExample })

  if (built.kind !== 'built') throw new Error(built.refusal)
  expect(built.request).toMatchObject({ method: row.method, pattern: row.path })
  expect(built.request.path).not.toMatch(/[{}?%]/)
})

test('values of a query are encoded, whatever stands in them', () => {
  const query = { q: 'https://evil.example/?a=b&limit=9#x/../y é', limit: '2' }
  const built = buildRequest({ ...blank, operation: 'listPatients', query })

  if (built.kind !== 'built') throw new Error(built.refusal)
  const url = new URL(`https://api.example/base${built.request.path}`)
  expect(url.pathname).toBe('/base/patients')
  expect(Object.fromEntries(url.searchParams)).toEqual(query)
})

test('what a key of each level gets is what its row says', () => {
  for (const [, row] of operations) {
    const allowed = answersByLevel(row).map((answer) => answer.allowed)
    expect(allowed).toEqual(
      row.level === 'none'
        ? [true, true, true]
        : row.level === 'any'
          ? [false, true, true]
          : [false, false, true],
    )
  }
})
