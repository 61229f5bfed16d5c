import { expect, test } from 'vitest'
import { formatPosition, parsePosition, seenMax } from './activity-position.ts'

const at = new Date('2026-11-22T09:30:00.123Z')

test('a position comes back as it was written, whatever order its rows came in', () => {
  for (const seen of [
    [],
    ['7'],
    ['900719925474', '12', '13'],
    Array.from({ length: seenMax }, (_, n) => `${n + 1e9}`),
  ]) {
    const text = formatPosition({ at, seen })

    expect(parsePosition(text)).toEqual({
      at,
      seen: seen
        .map(Number)
        .sort((a, b) => a - b)
        .map(String),
    })
    expect(text).toMatch(/^[0-9a-z.]{1,500}$/)
  }
})

test('what was never a position is none', () => {
  for (const text of ['', '.', 'A', '1.-2', '1 2', '1'.repeat(10), `1${'.1'.repeat(seenMax + 1)}`])
    expect(parsePosition(text)).toBeNull()
})
