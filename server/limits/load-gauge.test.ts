import { expect, test } from 'vitest'
import { loadWindow } from '../contract/http/load-shedding.ts'
import { createSustainedDelay } from './load-shedding.ts'

const perSecond = 1_000 / loadWindow.sampleMs
const over = loadWindow.secondsOver * perSecond
const below = loadWindow.secondsBelow * perSecond

/** The delay after each of these samples. */
function delaysAfter(samples: readonly number[]): number[] {
  const sustained = createSustainedDelay()
  return samples.map((sample) => {
    sustained.add(sample)
    return sustained.delayMs()
  })
}

test('a delay counts once it has lasted for the whole window, with the least of its samples', () => {
  const delays = delaysAfter([900, 700, ...Array.from({ length: over - 2 }, () => 800)])

  expect(delays.slice(0, -1).every((delay) => delay === 0)).toBe(true)
  expect(delays.at(-1)).toBe(700)
})

test('a single long task counts for nothing, however long it is', () => {
  const calm = Array.from({ length: over }, () => 1)

  expect(Math.max(...delaysAfter([...calm, 9_000, ...calm]))).toBeLessThanOrEqual(1)
})

test('it stays until it has been below the half for the whole window, and then goes', () => {
  const busy = Array.from({ length: over }, () => 800)
  const calm = Array.from({ length: below }, () => 3)

  const delays = delaysAfter([...busy, ...calm])

  expect(delays.slice(over, -1)).toEqual(Array.from({ length: below - 1 }, () => 800))
  expect(delays.at(-1)).toBeLessThanOrEqual(6)
  const stillBusy = delaysAfter([...busy, ...calm.slice(1), 500, ...calm.slice(1)])
  expect(stillBusy.at(-1)).toBe(800)
})
