import { expect, test } from 'vitest'
import { pairLines } from './side-by-side.ts'

const shown = (left: string, right: string) =>
  pairLines(left, right).map((row) => [row.left ?? '·', row.right ?? '·'].join('|'))

test.each([
  ['a\nb\nc', 'a\nb\nc', ['a|a', 'b|b', 'c|c']],
  ['a\nb\nc', 'a\nx\nc', ['a|a', 'b|x', 'c|c']],
  ['a\nc', 'a\nb\nc', ['a|a', '·|b', 'c|c']],
  ['a\nb\nc', 'c', ['a|·', 'b|·', 'c|c']],
  ['', 'a', ['|a']],
  ['a\nb', 'x\ny\nz', ['a|x', 'b|y', '·|z']],
])('%j beside %j', (left, right, rows) => {
  expect(shown(left, right)).toEqual(rows)
})

test('texts of thousands of lines keep their common beginning and end', () => {
  const lines = Array.from({ length: 1_500 }, (_, at) => `line ${at}`)
  const changed = lines.with(700, 'another line')
  const rows = pairLines(lines.join('\n'), changed.join('\n'))
  expect(rows.filter(({ left, right }) => left !== right)).toEqual([
    { left: 'line 700', right: 'another line' },
  ])
  expect(rows).toHaveLength(1_500)
})
