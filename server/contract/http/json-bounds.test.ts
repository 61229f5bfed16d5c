import { describe, expect, test } from 'vitest'
import { jsonBoundsFault, parseBoundedJson } from './json-bounds.ts'
import { limits } from './limits.ts'

const tooDeep = `nested more than ${limits.jsonDepthMax} levels deep`
const tooMany = 'more than 5,000 values'

describe('the bounds of JSON', () => {
  test.each([
    ['an array of arrays', `${'['.repeat(33)}${']'.repeat(33)}`, tooDeep],
    ['objects in objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, tooDeep],
    ['arrays that never close', '['.repeat(500_000), tooDeep],
    ['an array of numbers', `[${'1,'.repeat(5_000)}1]`, tooMany],
    [
      'an object of many keys',
      `{${Array.from({ length: 5_001 }, (_, i) => `"k${i}":0`).join(',')}}`,
      tooMany,
    ],
    ['commas only', ','.repeat(500_000), tooMany],
    ['many empty arrays', `[${'[],'.repeat(3_000)}[]]`, tooMany],
  ])('refuse %s', (_what, text, fault) => {
    expect(jsonBoundsFault(text)).toContain(fault)
    expect(() => parseBoundedJson(text)).toThrow(fault)
  })

  test.each([
    ['as many levels as are allowed', `${'['.repeat(32)}${']'.repeat(32)}`],
    ['brackets and commas in a string', JSON.stringify({ text: '[{,'.repeat(100_000) })],
    ['escaped quotes before brackets', JSON.stringify({ text: '\\"[\\\\"['.repeat(1_000) })],
    ['a long string of backslashes', JSON.stringify('\\'.repeat(200_000))],
    ['a string of Unicode', JSON.stringify({ '😀': 'ü\u2028' })],
    ['a number', '1'],
  ])('let %s pass', (_what, text) => {
    expect(jsonBoundsFault(text)).toBeNull()
    expect(parseBoundedJson(text)).toEqual(JSON.parse(text))
  })

  test('leave it to the parser to refuse what is no JSON', () => {
    for (const text of ['', '"', '"\\', '{"a":', ']]]]', '"a\\"'])
      expect(() => parseBoundedJson(text), text).toThrow(SyntaxError)
  })

  test('cost less to check than a harmless megabyte costs to parse', () => {
    const megabyte = 1_048_576
    const keys = Array.from({ length: 80_000 }, (_, i) => `"key${i}":0`).join(',')
    const hostile = [
      '['.repeat(megabyte),
      `{${keys}}`,
      '"\\'.repeat(megabyte / 2),
      '\\"'.repeat(megabyte / 2),
    ]
    const harmless = JSON.stringify(Array.from({ length: megabyte / 16 }, (_, i) => ({ [`k${i}`]: i })))

    const parsing = shortest(() => JSON.parse(harmless))

    for (const text of hostile) expect(shortest(() => jsonBoundsFault(text)) / parsing).toBeLessThan(1)
  })
})

/** Milliseconds of the quickest of five runs: the others met whatever else the machine did. */
function shortest(run: () => unknown): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const begun = performance.now()
    run()
    return performance.now() - begun
  })
  return Math.min(...times)
}
