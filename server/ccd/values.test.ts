import { describe, expect, test } from 'vitest'
import { timestamp } from './times.ts'
import { foundValue, quantity } from './values.ts'

describe('a time', () => {
  test.each([
    ['2024', '2024'],
    ['2024-02', '202402'],
    ['2024-02-29', '20240229'],
    ['2024-02-29T23:59:60Z', '20240229235960+0000'],
    ['2024-02-29T10:05:07.123-04:30', '20240229100507-0430'],
    ['2024-02-29T10:05+05:45', '20240229100500+0545'],
  ])('%s is written %s, no more precise than it is known', (given, written) => {
    expect(timestamp(given)).toBe(written)
  })
})

describe('a quantity', () => {
  const ucum = { system: 'http://unitsofmeasure.org', code: 'mg/dL' }

  test('of which a bound is known is an interval', () => {
    expect(foundValue({ valueQuantity: { value: 5, comparator: '<', ...ucum } })).toBe(
      '<value xsi:type="IVL_PQ"><high value="5" unit="mg/dL" inclusive="false"/></value>',
    )
  })

  test('that is not there is said to be missing, with the reason where one is told', () => {
    expect(foundValue({})).toBe('<value xsi:type="CD" nullFlavor="UNK"/>')
    expect(quantity('value', undefined, { typed: true, unit: true })).toContain('nullFlavor="UNK"')
  })
})
