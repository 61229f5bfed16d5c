import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkQuery, parseQuery } from './query.ts'

const schema = z.strictObject({
  q: z.string({ error: 'q is a text' }).optional(),
  limit: z.int({ error: 'limit is a number' }).max(9, { error: 'limit is at most 9' }).default(5),
})
const parse = (search: string) => checkQuery(parseQuery(search, schema), schema)

describe('a query string', () => {
  test.each([
    ['', { limit: 5 }],
    ['&&', { limit: 5 }],
    ['q=a+b%20c', { q: 'a b c', limit: 5 }],
    ['q=a=b', { q: 'a=b', limit: 5 }],
    ['q', { q: '', limit: 5 }],
    ['q=7&limit=7', { q: '7', limit: 7 }],
    ['q=%F0%9F%A9%BA', { q: '🩺', limit: 5 }],
  ])('%j is read', (search, expected) => {
    expect(parse(search)).toEqual(expected)
  })

  test.each([
    ['limit=10', 'limit', 'limit is at most 9.'],
    ['limit=ten', 'limit', 'limit is a number.'],
    ['limit=0x9', 'limit', 'limit is a number.'],
    ['limit=%209', 'limit', 'limit is a number.'],
    ['limit=9.0', 'limit', 'limit is a number.'],
    ['limit=1&limit=2', 'limit', 'limit is given twice.'],
    ['a=1&a=1', 'unknown_parameter', 'a is given twice.'],
    ['Limit=1', 'unknown_parameter', 'Unknown query parameter: Limit.'],
    ['a=1&b=1', 'unknown_parameter', 'Unknown query parameters: a, b.'],
    ['__proto__=1', 'unknown_parameter', 'Unknown query parameter: __proto__.'],
    ['toString=1', 'unknown_parameter', 'Unknown query parameter: toString.'],
    ['%0d%0aX=1', 'unknown_parameter', 'Unknown query parameter: ??X.'],
    [`${'x'.repeat(100)}=1`, 'unknown_parameter', `Unknown query parameter: ${'x'.repeat(40)}….`],
    ['q=%E0%A4%A', 'encoding', 'The query string is not percent-encoded UTF-8.'],
    ['q=%ED%A0%80', 'encoding', 'The query string is not percent-encoded UTF-8.'],
    ['q=a%00b', 'encoding', 'The query string contains a NUL character.'],
  ])('%j is refused, naming what is wrong', (search, field, message) => {
    expect(() => parse(search)).toThrow(expect.objectContaining({ kind: 'validation', field, message }))
  })
})
