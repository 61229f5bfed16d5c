import { expect, test } from 'vitest'
import { keyPattern } from '../../../server/contract/keys/key-format.ts'
import { explorerOperations } from '../../../server/contract/lab/explorer-request.ts'
import { httpFile, postmanCollection } from './exports.server.ts'

const base = 'https://portal.example/sandbox/api/v1'
const rows = Object.values(explorerOperations)

type Raw = { raw: string }
type Item = {
  name: string
  request: { method: string; header: { key: string; value: string }[]; url: Raw; body?: Raw }
}

test('the collection has every operation, its key a variable that nobody has filled in', () => {
  const collection = postmanCollection(base) as { item: { item: Item[] }[]; variable: unknown }
  const items = collection.item.flatMap(({ item }) => item)

  expect(items.map(({ name }) => name).sort()).toEqual(rows.map(({ summary }) => summary).sort())
  expect(collection.variable).toEqual([
    { key: 'base', value: base },
    { key: 'SVC_KEY', value: '' },
  ])
  for (const { request } of items) {
    const row = rows.find(
      ({ summary, method }) => method === request.method && items.some(({ name }) => name === summary),
    )
    expect(row).toBeDefined()
    expect(request.url.raw).toMatch(/^\{\{base\}\}\/[a-z]/)
    expect(request.url.raw).not.toMatch(/\{id\}/)
    for (const { key, value } of request.header)
      if (key === 'Authorization') expect(value).toBe('Bearer {{SVC_KEY}}')
    if (request.body) expect(() => JSON.parse(request.body?.raw ?? '')).not.toThrow()
  }
  expect(JSON.stringify(collection)).not.toMatch(keyPattern)
})

test('the .http file has every operation once, with an id that is there', () => {
  const file = httpFile(base)

  expect(file.match(/^### /gm)).toHaveLength(rows.length)
  expect(file).toContain(`@base = ${base}`)
  expect(file).toContain('GET {{base}}/patients/pt-wren-testwell\nAuthorization: Bearer {{SVC_KEY}}\n')
  expect(file).toMatch(
    /POST \{\{base\}\}\/patients\nAuthorization: Bearer \{\{SVC_KEY\}\}\nContent-Type: application\/json\n\n\{/,
  )
  expect(file).not.toMatch(keyPattern)
})
