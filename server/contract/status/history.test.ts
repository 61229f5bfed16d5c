import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CheckedState, checkedStates } from './components.ts'
import { settledState } from './history.ts'

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
