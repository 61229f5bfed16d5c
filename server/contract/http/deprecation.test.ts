import { describe, expect, test } from 'vitest'
import { type Deprecation, earliestSunset, findDeprecationFaults } from './deprecation.ts'
import { deprecableTables } from './deprecations.ts'

const sound: Deprecation = {
  since: '2027-01-31',
  sunset: '2028-01-31',
  successor: 'next',
  note: 'Its records have no time zone.',
}

const faultsOf = (deprecation: Deprecation, next: { deprecation?: Deprecation } = {}) =>
  findDeprecationFaults({ old: { deprecation }, next })

test.each(Object.entries(deprecableTables))('the deprecations of the %s table are sound', (_name, rows) => {
  expect(Object.keys(rows).length).toBeGreaterThan(3)
  expect(findDeprecationFaults(rows)).toEqual([])
})

describe('a deprecation', () => {
  test('is sound with the notice of the policy, to the day', () => {
    expect(faultsOf(sound)).toEqual([])
    expect(faultsOf({ ...sound, sunset: '2028-01-30' })).toEqual([
      'old: sunset must leave the notice of the policy',
    ])
    expect(faultsOf({ ...sound, sunset: '2027-03-02', security: true })).toEqual([])
    expect(faultsOf({ ...sound, sunset: '2027-03-01', security: true })).toHaveLength(1)
    // A leap day has no anniversary: the notice is a day longer, never shorter.
    expect(earliestSunset('2028-02-29', undefined)).toBe('2029-03-01')
  })

  test.each([
    ['a day that does not exist', { since: '2027-02-30' }, 'since must be a day'],
    ['a time', { sunset: '2028-06-01T00:00:00Z' }, 'sunset must be a day'],
    ['no sentence', { note: 'old' }, 'note must be sentences'],
    ['an empty note', { note: '' }, 'note must be sentences'],
    ['a long note', { note: `L${'o'.repeat(300)}ng.` }, 'note Too big'],
    ['a successor that is not there', { successor: 'other' }, 'successor must be another row'],
    ['itself as successor', { successor: 'old' }, 'successor must be another row'],
    ['an unknown field', { until: '2028-01-31' }, 'Unrecognized key'],
  ])('is refused with %s', (_name, change, fault) => {
    expect(faultsOf({ ...sound, ...change }).join()).toContain(fault)
  })

  test('is refused with a successor that ends, too', () => {
    expect(faultsOf(sound, { deprecation: { ...sound, successor: undefined } })).toEqual([
      'old: successor must not be deprecated',
    ])
  })
})
