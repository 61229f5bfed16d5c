import { expect, test } from 'vitest'
import { csvHead, csvLine } from './csv.ts'

test('a line holds what it was given, whatever a spreadsheet makes of it', () => {
  expect(csvLine(['/patients/{id}', 200, null, true, new Date('2026-11-20T17:00:00Z')])).toBe(
    '/patients/{id},200,,true,2026-11-20T17:00:00.000Z\r\n',
  )
  expect(csvLine(['a,b', 'say "no"', 'two\nlines'])).toBe('"a,b","say ""no""","two\nlines"\r\n')
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '="a"',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
])('a cell of %j stays text', (cell) => {
  expect(csvLine([cell])).toBe(`"'${cell.replaceAll('"', '""')}"\r\n`)
})

test('a file begins with a byte order mark, so that spreadsheets read names as they are', () => {
  expect(csvHead(['Name', 'Città'])).toBe('\uFEFFName,Città\r\n')
})
