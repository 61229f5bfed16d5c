/** What the pages say about each thing and each count, for the test that holds them against the thing's own page. */
import type { Page } from '@playwright/test'

/** A page whose address ends in the id of one thing shows that thing's state. */
const thing =
  '(?:registrations|production-keys|key-requests|keys/requests|keys|agreements|apps|sponsorships|practices|incidents)/(?!new$|samples$)[^/]+$'

type ShownPage = Readonly<{
  path: string
  /** Beside the heading, and the tags that stand on the page in no row about another thing. */
  head: string
  own: readonly string[]
  rows: readonly { about: string; tags: readonly string[] }[]
  /** Counts in links: where they lead, and what they say. */
  counts: readonly { to: string; count: number }[]
  /** Of its list: what the pager says, else its rows; null on a page without a list. */
  total: number | null
}>

/** Reads pages as the browser is signed in, and what their counts lead to. */
async function readPages(page: Page, wanted: readonly string[]): Promise<ShownPage[]> {
  return page.evaluate(
    async ({ wanted, thing }) => {
      const isThing = (path: string) => new RegExp(`/${thing}`).test(path)
      const pathOf = (link: Element) => (link.getAttribute('href') ?? '').split(/[?#]/)[0] ?? ''
      const textOf = (element: Element | null | undefined) => element?.textContent?.trim() ?? ''
      const shown: ShownPage[] = []
      for (const path of wanted) {
        let response = await fetch(path)
        while (response.status === 429) {
          const seconds = Number(response.headers.get('retry-after') ?? 1)
          await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
          response = await fetch(path)
        }
        const here = path.split('?')[0]
        // The page of a practice adds the practice to its address; another path is another page.
        if (response.status !== 200 || new URL(response.url).pathname !== here) continue
        const whole = new DOMParser().parseFromString(await response.text(), 'text/html')
        const main = whole.querySelector('main')
        if (!main) continue
        const rows = [...main.querySelectorAll('tr, li, article')].flatMap((row) => {
          const about = [...new Set([...row.querySelectorAll('a[href]')].map(pathOf).filter(isThing))]
          const tags = [...row.querySelectorAll('.tag')].map(textOf)
          return about.length === 1 && about[0] && tags.length > 0 ? [{ about: about[0], tags, row }] : []
        })
        const own = [...main.querySelectorAll('.tag')].filter(
          (tag) => !rows.some(({ about, row }) => about !== here && row.contains(tag)),
        )
        const pager = /of ([\d,]+)/.exec(textOf(main.querySelector('.pager')))?.[1]
        const table = main.querySelector('table')
        const list =
          main.querySelector('ul.todo')?.children.length ?? (main.querySelector('.empty') ? 0 : undefined)
        const total = pager?.replace(',', '') ?? table?.tBodies[0]?.rows.length ?? list
        shown.push({
          path,
          head: textOf(main.querySelector('.page-head')),
          own: own.map(textOf),
          rows: rows.map(({ about, tags }) => ({ about, tags })),
          counts: [...whole.querySelectorAll('a .n, a .count')].map((count) => ({
            to: count.closest('a')?.getAttribute('href') ?? '',
            count: Number(count.firstChild?.textContent),
          })),
          total: total === undefined ? null : Number(total),
        })
      }
      return shown
    },
    { wanted, thing },
  )
}

/**
 * Opens the pages, the things that their rows are about, and the lists that their counts lead to. A disagreement is a
 * state of a thing that its own page does not show, or a count that is not the length of its list.
 */
export async function findDisagreements(
  page: Page,
  paths: readonly string[],
): Promise<{ disagreements: string[]; rows: number; counts: number }> {
  const pages = new Map<string, ShownPage>()
  const read = async (wanted: Iterable<string>) => {
    const unread = [...new Set(wanted)].filter((path) => path.startsWith('/') && !pages.has(path))
    for (const shown of await readPages(page, unread)) pages.set(shown.path, shown)
  }
  await read(paths)
  await read(
    [...pages.values()].flatMap(({ rows, counts }) => [
      ...rows.map(({ about }) => about),
      ...counts.map(({ to }) => to),
    ]),
  )
  const all = [...pages.values()]
  const words = new Map<string, Set<string>>()
  for (const { path, own } of all) {
    const kind = kindOf(path)
    if (kind) words.set(kind, new Set([...(words.get(kind) ?? []), ...own.map((word) => word.toLowerCase())]))
  }
  const disagreements = new Set<string>()
  let rowCount = 0
  for (const { path, rows } of all)
    for (const { about, tags } of rows) {
      const own = pages.get(about)
      if (!own || about === path.split('?')[0]) continue
      const states = tags.filter((tag) => words.get(kindOf(about) ?? '')?.has(tag.toLowerCase()))
      rowCount += states.length
      for (const state of states)
        if (!own.own.includes(state) && !own.head.includes(state))
          disagreements.add(`${path} says “${state}” of ${about}, which says “${own.own.join('”, “')}”`)
    }
  const counts = all.flatMap(({ path, counts }) => counts.map((each) => ({ ...each, path })))
  for (const { to, count, path } of counts) {
    const total = pages.get(to)?.total ?? null
    if (total !== null && total !== count)
      disagreements.add(`${path} counts ${count} for ${to}, which has ${total}`)
  }
  return { disagreements: [...disagreements], rows: rowCount, counts: counts.length }
}

/** The address without the id: the pages of one kind of thing, as their reader sees them. */
function kindOf(path: string): string | null {
  const bare = path.split(/[?#]/)[0] ?? ''
  return new RegExp(`/${thing}`).test(bare) ? bare.slice(0, bare.lastIndexOf('/')) : null
}
