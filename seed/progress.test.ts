import { expect, test } from 'vitest'
import { createProgressBar } from './progress.ts'

function terminal(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, written, write: (text: string) => written.push(text) }
}

const half = { practice: 'Harborlight Family Medicine', resources: 4_000, share: 0.5 }

test('people see how far it is, how fast it goes and how long it takes', () => {
  let now = 0
  const screen = terminal(true)
  const bar = createProgressBar(screen, () => now)

  now = 80_000
  bar.show(half)
  bar.end()

  expect(screen.written[0]).toContain('████████████░░░░░░░░░░░░  50 %  50 records/s  1:20 left  Harborlight')
  expect(screen.written.at(-1)).toBe('\r\x1b[2K')
})

test('at the beginning no time left is guessed, and a fast seed does not flood the terminal', () => {
  let now = 0
  const screen = terminal(true)
  const bar = createProgressBar(screen, () => now)

  for (now = 0; now < 1_000; now++) bar.show({ ...half, share: 0.001 })

  expect(screen.written).toHaveLength(10)
  expect(screen.written.join('')).not.toContain('left')
})

test('nothing is written where nobody looks', () => {
  const pipe = terminal(false)
  const bar = createProgressBar(pipe)

  bar.show(half)
  bar.end()

  expect(pipe.written).toEqual([])
})
