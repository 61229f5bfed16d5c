/** Opens one page after the other as the people of the demonstration, and collects what is wrong with them. */
import { appendFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { findFaults } from './axe.ts'
import { enterDemonstration } from './demonstration.ts'
import { openParts } from './open-parts.ts'
import { errorPages, type Visit } from './portal-pages.ts'

type Look = Readonly<{ theme: 'light' | 'dark'; width: number; height: number; only?: 'contrast' }>

/** Between the themes of one width nothing changes but the colours; below 320 px nothing need fit (WCAG 1.4.10). */
const looks: readonly Look[] = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900, only: 'contrast' },
  { theme: 'dark', width: 320, height: 740 },
  { theme: 'light', width: 320, height: 740, only: 'contrast' },
]

/** Longer than any page takes on a busy machine; a part that never comes is a fault, and the sweep goes on. */
const patience = 30_000

type Sweep = Readonly<{
  openBrowser: () => Promise<Page>
  /** Where the server keeps its files. */
  folder: string
  /** Faults are written there as they are found, because a sweep takes long. */
  report: string
}>

type Swept = {
  /** One line per fault and look. */
  faults: string[]
  /** Patterns of which an address answered with its page. */
  seen: Set<string>
  /** Addresses that answered with their page, and what was opened on them. */
  addresses: number
  parts: number
  /** Addresses that lead on to another page, or refuse: a form that is past its state. */
  elsewhere: number
}

type Lane = Sweep & Readonly<{ swept: Swept; queue: Visit[]; known: Set<string>; menus: Set<string> }>

/** Two pages at once: while one waits for the server, axe looks at the other. */
export async function sweepVisits(visits: readonly Visit[], sweep: Sweep): Promise<Swept> {
  const swept: Swept = { faults: [], seen: new Set(), addresses: 0, parts: 0, elsewhere: 0 }
  const lane: Lane = {
    ...sweep,
    swept,
    queue: [...visits],
    known: new Set(visits.map(({ path, role }) => `${role} ${path}`)),
    menus: new Set(),
  }
  await Promise.all([drive(lane), drive(lane)])
  return swept
}

async function drive(lane: Lane): Promise<void> {
  const pages = new Map<string, Page>()
  for (let visit = lane.queue.shift(); visit; visit = lane.queue.shift()) {
    const { role, organization, path } = visit
    const who = role === 'developer' ? `${role} ${organization}` : role
    let page = pages.get(who)
    if (!page) {
      page = await lane.openBrowser()
      page.setDefaultTimeout(patience)
      await enterDemonstration(page, visit, lane.folder)
      pages.set(who, page)
    }
    try {
      await visitOne(page, visit, lane)
    } catch (error) {
      if (page.isClosed()) throw error
      note(lane, `${role} ${path}: ${String(error).split('\n').slice(0, 3).join(' ')}`)
    }
  }
}

async function visitOne(page: Page, visit: Visit, lane: Lane): Promise<void> {
  const { role, path, pattern } = visit
  const { swept, known, queue, menus } = lane
  if (!(await open(page, visit))) {
    swept.elsewhere += 1
    return
  }
  swept.seen.add(pattern)
  swept.addresses += 1
  for (const look of looks)
    for (const fault of await lookAt(page, look)) note(lane, `${role} ${path}, ${fault}`)
  for (const tab of await tabsOf(page, path)) {
    if (known.has(`${role} ${tab}`)) continue
    known.add(`${role} ${tab}`)
    queue.push({ ...visit, path: tab })
  }
  for await (const part of openParts(page, path, menus)) {
    swept.parts += 1
    for (const fault of await lookAtPart(page)) note(lane, `${role} ${path}, ${part}: ${fault}`)
  }
}

function note({ swept, report }: Lane, fault: string): void {
  swept.faults.push(fault)
  appendFileSync(report, `${fault}\n`)
}

/** What reaches beyond the right edge, if the page scrolls there. Runs in the page. */
function findSticking(): string | null {
  const { scrollWidth } = document.documentElement
  if (scrollWidth <= window.innerWidth) return null
  const widest = [...document.querySelectorAll('body *')].findLast(
    (each) => each.getBoundingClientRect().right >= scrollWidth - 1,
  )
  return `${scrollWidth - window.innerWidth} pixels, <${widest?.tagName.toLowerCase()} class="${widest?.className}">`
}

/** @returns whether the page is what the address says, and not a refusal or the page it leads on to */
async function open(page: Page, { path, pattern }: Visit): Promise<boolean> {
  for (;;) {
    const response = await page.goto(path)
    const status = response?.status() ?? 0
    if (status === 429) {
      await page.waitForTimeout(Number(response?.headers()['retry-after'] ?? 1) * 1_000)
      continue
    }
    const { pathname } = new URL(page.url())
    return (
      (status < 400 || errorPages.has(pattern)) && pathname === decodeURI(new URL(path, page.url()).pathname)
    )
  }
}

async function lookAt(page: Page, { theme, width, height, only }: Look): Promise<string[]> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  let faults = await findFaults(page, only)
  // A busy machine paints the other theme late: what is only late goes away.
  if (faults.length > 0) faults = await findFaults(page, only)
  const sticking = await page.evaluate(findSticking)
  if (sticking) faults.push(`scrolls sideways: ${sticking}`)
  return faults.map((fault) => `${theme} ${width}: ${fault}`)
}

async function lookAtPart(page: Page): Promise<string[]> {
  const faults = await findFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  faults.push(...(await findFaults(page, 'contrast')))
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

/** Views of the same page that have an address: its tabs and steps. */
async function tabsOf(page: Page, path: string): Promise<string[]> {
  const here = new URL(path, page.url())
  const links = await page
    .locator('main a[href]')
    .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href))
  return [...new Set(links)]
    .filter((link) => URL.canParse(link))
    .map((link) => new URL(link))
    .filter(({ pathname, searchParams }) => pathname === here.pathname && isView(searchParams))
    .map(({ pathname, search }) => `${pathname}${search}`)
}

const isView = (query: URLSearchParams) =>
  [...query.keys()].length === 1 && /^(?:tab|step|show|kind|view|lang)$/.test([...query.keys()][0] ?? '')
