/** Lists in pages, the same for every list of the portal: fifty rows, numbered, with a search over all of them. */

export const pageRows = 50
const pageMax = 10_000
export const searchCharactersMax = 100

export type PageAsk = Readonly<{
  /** Words that a row has to hold; empty: every row. */
  q: string
  /** From 1. */
  page: number
}>

/** Where no one asked for another. */
export const firstPage: PageAsk = { q: '', page: 1 }

export type Listed<T> = Readonly<{
  rows: readonly T[]
  /** Of all pages. */
  total: number
  page: number
  pages: number
  q: string
}>

/** What an address asks for; nonsense is the first page of everything. */
export function readPageAsk(query: URLSearchParams, names = { q: 'q', page: 'page' }): PageAsk {
  const q = (query.get(names.q) ?? '').replaceAll('\0', '').trim().slice(0, searchCharactersMax)
  const page = Number(query.get(names.page) ?? 1)
  return { q, page: Number.isInteger(page) && page >= 1 ? Math.min(page, pageMax) : 1 }
}

/** One page of what a database holds. A page that is not there any more is the last one. */
export async function readPage<T>(
  ask: PageAsk,
  count: () => Promise<number>,
  find: (window: { skip: number; take: number }) => Promise<readonly T[]>,
): Promise<Listed<T>> {
  if (ask.page === 1) {
    const rows = await find({ skip: 0, take: pageRows })
    // A first page that is not full is all there is.
    const total = rows.length < pageRows ? rows.length : await count()
    return { rows, total, ...placeOf(ask, total), q: ask.q }
  }
  const total = await count()
  const { page, pages } = placeOf(ask, total)
  const rows = await find({ skip: (page - 1) * pageRows, take: pageRows })
  return { rows, total, page, pages, q: ask.q }
}

/** One page of a list that is at hand. @param textsOf what is searched of a row */
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

/** Rows whose texts hold every word. */
export function searchRows<T>(
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
  const pages = Math.max(1, Math.ceil(total / pageRows))
  return { pages, page: Math.min(ask.page, pages) }
}

/** Every word in one of the columns, letter case aside, as Prisma takes it. */
export function searchWhere<W>(q: string, columns: (like: { contains: string; mode: 'insensitive' }) => W[]) {
  // Prisma leaves the wildcards of LIKE as they are.
  const words = q
    .replace(/[\\%_]/g, '\\$&')
    .split(/\s+/)
    .filter(Boolean)
  return { AND: words.map((word) => ({ OR: columns({ contains: word, mode: 'insensitive' }) })) }
}
