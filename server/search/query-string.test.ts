import { expect, test } from 'vitest'
import { parseParameters } from './query-string.ts'

test('names and values are decoded in the order given, empty pairs left out', () => {
  expect(parseParameters('')).toEqual([])
  expect(parseParameters('&a=1&&b=%C3%A9+x&a=2=3&c')).toEqual([
    ['a', '1'],
    ['b', 'é x'],
    ['a', '2=3'],
    ['c', ''],
  ])
})

test.each([
  ['invalid UTF-8', 'a=%ff', 'encoding'],
  ['half an escape', 'a=%2', 'encoding'],
  ['half a surrogate', 'a=%ed%a0%80', 'encoding'],
  ['a NUL', 'a=%00', 'encoding'],
  ['a NUL in a name', 'a%00=1', 'encoding'],
  ['50 kB', `a=${'x'.repeat(50_000)}`, 'parameters'],
  ['more than fits a link to the next page', `a=${'x'.repeat(6_001)}`, 'parameters'],
  ['61 parameters', Array.from({ length: 61 }, (_, index) => `a=${index}`).join('&'), 'parameters'],
])('%s is refused', (_, query, field) => {
  expect(() => parseParameters(query)).toThrow(expect.objectContaining({ kind: 'validation', field }))
})
