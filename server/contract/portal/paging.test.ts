import { expect, test } from 'vitest'
import { pageOf, pageRows, readPageAsk } from './paging.ts'

const all = Array.from({ length: 120 }, (_, place) => ({ name: `Row ${place + 1}` }))

test('pages hold every row once, and a page beyond the last is the last', () => {
  const pages = [1, 2, 3].map((page) => pageOf({ q: '', page }, all))

  expect(pages.flatMap(({ rows }) => rows)).toEqual(all)
  expect(pages.map(({ rows }) => rows.length)).toEqual([pageRows, pageRows, 20])
  expect(pageOf({ q: '', page: 99 }, all)).toMatchObject({ page: 3, pages: 3, total: 120 })
  expect(pageOf({ q: '', page: 1 }, [])).toMatchObject({ rows: [], page: 1, pages: 1, total: 0 })
})

test('nonsense in the address is the first page', () => {
  for (const page of ['0', '-1', '1.5', 'x', '', 'Infinity', '1e9'])
    expect(readPageAsk(new URLSearchParams({ page })).page).toBe(page === '1e9' ? 10_000 : 1)
  expect(readPageAsk(new URLSearchParams({ q: ` a\0${'b'.repeat(200)} ` })).q).toHaveLength(100)
})
