/** Paging for every list of the portal: fifty rows a page, numbered pages, and a search over all rows. */

export const pageRows = 50
const pageMax = 10_000
export const searchCharactersMax = 100

export type PageAsk = Readonly<{
  /** Words that a row has to contain; empty matches every row. */
  q: string
  /** From 1. */
  page: number
  /** Rows of a page; fifty without. */
  rows?: number
}>

export const firstPage: PageAsk = { q: '', page: 1 }

export type Listed<T> = Readonly<{
  rows: readonly T[]
  /** The number of rows on all pages. */
  total: number
  page: number
  pages: number
  q: string
}>

/** Reads a page request from a URL; an invalid number means the first page. */
export function readPageAsk(query: URLSearchParams, names = { q: 'q', page: 'page' }): PageAsk {
  const q = (query.get(names.q) ?? '').replaceAll('\0', '').trim().slice(0, searchCharactersMax)
  const page = Number(query.get(names.page) ?? 1)
  return { q, page: Number.isInteger(page) && page >= 1 ? Math.min(page, pageMax) : 1 }
}

/** One page of a database query. A page after the last one becomes the last one. */
export async function readPage<T>(
  ask: PageAsk,
  count: () => Promise<number>,
  find: (window: { skip: number; take: number }) => Promise<readonly T[]>,
): Promise<Listed<T>> {
  const take = ask.rows ?? pageRows
  if (ask.page === 1) {
    const rows = await find({ skip: 0, take })
    // If the first page is not full, it has all rows, and counting them would be a wasted query.
    return listedOf(ask, rows, rows.length < take ? rows.length : await count())
  }
  const total = await count()
  const { page, pages } = placeOf(ask, total)
  const rows = await find({ skip: (page - 1) * take, take })
  return { rows, total, page, pages, q: ask.q }
}

/** A page that was read together with the number of all rows. */
export const listedOf = <T>(ask: PageAsk, rows: readonly T[], total: number): Listed<T> => ({
  ...{ rows, total, q: ask.q },
  ...placeOf(ask, total),
})

/** One page of a list in memory. @param textsOf the texts of a row that are searched */
export function pageOf<T>(
  ask: PageAsk,
  all: readonly T[],
  textsOf?: (row: T) => readonly (string | null | undefined)[],
): Listed<T> {
  const found = textsOf ? searchRows(ask.q, all, textsOf) : all
  const { page, pages } = placeOf(ask, found.length)
  const rows = found.slice((page - 1) * pageRows, page * pageRows)
  return { rows, total: found.length, page, pages, q: ask.q }
}

/** Rows whose texts contain every word. */
function searchRows<T>(
  q: string,
  all: readonly T[],
  textsOf: (row: T) => readonly (string | null | undefined)[],
): readonly T[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all
  return all.filter((row) => {
    const text = textsOf(row).join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

function placeOf(ask: PageAsk, total: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / (ask.rows ?? pageRows)))
  return { pages, page: Math.min(ask.page, pages) }
}

/** A Prisma filter: every word must be in one of the columns, in upper or lower case. */
export function searchWhere<W>(q: string, columns: (like: { contains: string; mode: 'insensitive' }) => W[]) {
  return { AND: wordsOf(q).map((word) => ({ OR: columns({ contains: word, mode: 'insensitive' }) })) }
}

/** For `ILIKE ALL`: every word must be in the text. */
export const searchPatterns = (q: string) => wordsOf(q).map((word) => `%${word}%`)

/** With the wildcards of LIKE escaped, which Prisma does not do. */
const wordsOf = (q: string) =>
  q
    .replace(/[\\%_]/g, '\\$&')
    .split(/\s+/)
    .filter(Boolean)
