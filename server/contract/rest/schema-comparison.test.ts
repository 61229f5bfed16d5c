import { expect, test } from 'vitest'
import { z } from 'zod'
import { compareWithSchema } from './schema-comparison.ts'

const schema = z.object({
  data: z.array(z.object({ id: z.string(), name: z.object({ family: z.string() }) })),
  total: z.int(),
})

test('an answer that is as the document says has no differences, and every value counts', () => {
  const value = { data: [{ id: 'a', name: { family: 'Testwell' } }], total: 1 }

  expect(compareWithSchema(schema, value)).toEqual({ matched: 3, differences: [] })
})

test('what the document does not name is named by its place', () => {
  const value = { data: [{ id: 'a', name: { family: 'T', given: 'W' }, language: 'en' }], total: 1, more: [] }

  expect(compareWithSchema(schema, value).differences).toEqual([
    { kind: 'extra', path: 'data[0].name.given', message: 'Not in the document.' },
    { kind: 'extra', path: 'data[0].language', message: 'Not in the document.' },
    { kind: 'extra', path: 'more', message: 'Not in the document.' },
  ])
})

test('what is missing and what is of another type are told apart', () => {
  const found = compareWithSchema(schema, { data: [{ name: { family: 7 } }], total: 1 })

  expect(found.differences.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'missing data[0].id',
    'different data[0].name.family',
  ])
})

test('an answer that is something else altogether differs as a whole', () => {
  for (const value of [null, 'text', [], 7])
    expect(compareWithSchema(schema, value).differences[0]).toMatchObject({ kind: 'different', path: '' })
})
