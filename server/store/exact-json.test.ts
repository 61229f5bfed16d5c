import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExact, stringifyExact } from './resource-text.ts'

test.each([
  '{"value":1.10}',
  '[1.0,-0,-0.0,0.10,1e3,1E+3,1.50e-7,12345678901234567890,0.00000012,3.14159265358979323846,100,5e-324,1e400]',
  '{"value":"1.10 and \\"1.20\\" \\\\","other":[1.20]}',
  '"plain"',
  '1.10',
  '{"a":{"b":[{"c":72.0},{"c":-40.00}]}}',
])('%s comes back as it was written', (text) => {
  expect(stringifyExact(parseExact(text))).toBe(text)
})

test.each(['{"value":01.10}', '{"value":1.}', '{"value":.10}', '{"a":1.10', '-', ''])(
  '%j is no JSON',
  (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError)
  },
)

test('whatever JSON says, nothing is lost and nothing is added', () => {
  const decimal = fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.stringMatching(/^\d{1,20}$/))
    .map(([a, b]) => `${a}.${b}`)
  const member = fc.tuple(fc.string(), fc.oneof(decimal, fc.json()))
  fc.assert(
    fc.property(fc.array(member), (members) => {
      const text = `[${members.map(([name, value]) => `[${JSON.stringify(name)},${value}]`).join(',')}]`
      const written = stringifyExact(parseExact(text))

      expect(JSON.parse(written)).toEqual(JSON.parse(text))
      for (const [, value] of members) if (/^-?\d+\.\d+$/.test(value)) expect(written).toContain(`,${value}]`)
    }),
    { seed: 42 },
  )
})
