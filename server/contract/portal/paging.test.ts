import { expect, test } from 'vitest'
import { pageOf, pageRows, readPage, readPageAsk } from './paging.ts'

const all = Array.from({ length: 120 }, (_, place) => ({ name: `Row ${place + 1}` }))

test('pages hold every row once, and a page beyond the last is the last', () => {
  const pages = [1, 2, 3].map((page) => pageOf({ q: '', page }, all))

  expect(pages.flatMap(({ rows }) => rows)).toEqual(all)
  expect(pages.map(({ rows }) => rows.length)).toEqual([pageRows, pageRows, 20])
  expect(pageOf({ q: '', page: 99 }, all)).toMatchObject({ page: 3, pages: 3, total: 120 })
  expect(pageOf({ q: '', page: 1 }, [])).toMatchObject({ rows: [], page: 1, pages: 1, total: 0 })
})

test('a search is over all pages, by every word', () => {
  const found = pageOf({ q: 'row 12', page: 1 }, all, ({ name }) => [name, null])

  expect(found.rows.map(({ name }) => name)).toEqual(['Row 12', 'Row 112', 'Row 120'])
  expect(found.total).toBe(3)
})

test('nonsense in the address is the first page', () => {
  for (const page of ['0', '-1', '1.5', 'x', '', 'Infinity', '1e9'])
    expect(readPageAsk(new URLSearchParams({ page })).page).toBe(page === '1e9' ? 10_000 : 1)
  expect(readPageAsk(new URLSearchParams({ q: ` a\0${'b'.repeat(200)} ` })).q).toHaveLength(100)
})

test('a database is asked for one page only', async () => {
  const windows: unknown[] = []

  const listed = await readPage(
    { q: '', page: 7 },
    async () => 120,
    async (window) => {
      windows.push(window)
      return []
    },
  )

  expect(windows).toEqual([{ skip: 100, take: 50 }])
  expect(listed).toMatchObject({ page: 3, pages: 3 })
})

test('a first page that is not full is not counted, a full one is', async () => {
  const page = (length: number) =>
    readPage(
      { q: 'row', page: 1 },
      async () => 120,
      async ({ take }) => all.slice(0, Math.min(length, take)),
    )

  expect(await page(7)).toMatchObject({ total: 7, page: 1, pages: 1, q: 'row' })
  expect(await page(0)).toMatchObject({ rows: [], total: 0, page: 1, pages: 1 })
  expect(await page(50)).toMatchObject({ total: 120, page: 1, pages: 3 })
})
