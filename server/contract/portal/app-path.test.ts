import { expect, test } from 'vitest'
import { appProgress, livingStates } from './app-path.ts'

test.each([
  ['draft', false, 'here ahead ahead ahead'],
  ['draft', true, 'done here ahead ahead'],
  ['submitted', false, 'done done here ahead'],
  ['needs_info', true, 'done done here ahead'],
  ['enabling', true, 'done done done here'],
  ['enabled', true, 'done done done done'],
  ['suspended', true, 'done done done here'],
] as const)('%s, tested %s: %s', (state, tested, expected) => {
  expect(
    appProgress(state, tested)
      .map(({ progress }) => progress)
      .join(' '),
  ).toBe(expected)
  expect(livingStates).toContain(state)
})
