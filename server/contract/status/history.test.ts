import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CheckedState, checkedStates, componentStates } from './components.ts'
import { isNews, settledState, severity, workedShare, worstState } from './history.ts'

/** What is told after each of these findings, from the first on. */
function settle(...findings: CheckedState[]): CheckedState[] {
  let state = findings[0] as CheckedState
  let before = state
  return findings.map((now) => {
    state = settledState(state, before, now)
    before = now
    return state
  })
}

test('one finding on its own turns nothing', () => {
  expect(settle('operational', 'down', 'operational', 'down', 'operational')).toEqual(
    Array(5).fill('operational'),
  )
  expect(settle('down', 'operational', 'down', 'operational')).toEqual(Array(4).fill('down'))
})

test('two in a row turn it, and two turn it back', () => {
  expect(settle('operational', 'down', 'down', 'operational', 'operational')).toEqual([
    'operational',
    'operational',
    'down',
    'down',
    'operational',
  ])
})

test('of two that do not agree the one is told that both bear out', () => {
  expect(settle('operational', 'degraded', 'down', 'down')).toEqual([
    'operational',
    'operational',
    'degraded',
    'down',
  ])
  expect(settle('down', 'operational', 'degraded', 'operational')).toEqual([
    'down',
    'down',
    'degraded',
    'degraded',
  ])
})

test('what is off on purpose is told at once, and so is its end', () => {
  expect(settle('operational', 'disabled', 'operational')).toEqual(['operational', 'disabled', 'operational'])
})

test('whatever is told was found in the last two rounds, or told before', () => {
  const state = fc.constantFrom(...checkedStates)
  fc.assert(
    fc.property(state, state, state, (before, last, now) => {
      const next = settledState(before, last, now)
      expect([before, last, now]).toContain(next)
      if (last === now) expect(next).toBe(now)
    }),
    { seed: 13 },
  )
})

test('every state has its place', () => {
  expect([...severity].sort()).toEqual([...componentStates].sort())
  expect(worstState(['operational', 'under_maintenance', 'degraded'])).toBe('degraded')
  expect(worstState(['operational', 'disabled', 'not_available'])).toBe('operational')
  expect(worstState([])).toBeNull()
})

test('shares are of minutes that somebody looked at', () => {
  expect(workedShare([{ minutes: { operational: 90, disabled: 1_000 } }, { minutes: { down: 10 } }])).toBe(
    0.9,
  )
  expect(workedShare([{ minutes: { disabled: 1_440 } }, { minutes: {} }])).toBeNull()
})

test('trouble and its end are news, that nobody looked is none', () => {
  expect(isNews('operational', 'down')).toBe(true)
  expect(isNews('down', 'operational')).toBe(true)
  expect(isNews('not_available', 'degraded')).toBe(true)
  expect(isNews('down', 'not_available')).toBe(false)
  expect(isNews('operational', 'disabled')).toBe(false)
  expect(isNews('not_available', 'operational')).toBe(false)
  expect(isNews(null, 'down')).toBe(false)
})
