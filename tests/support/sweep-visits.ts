/** Opens one page after the other as the people of the demonstration, and collects what is wrong with them. */
import type { Page } from '@playwright/test'
import { findFaults } from './axe.ts'
import { enterDemonstration } from './demonstration.ts'
import { openParts } from './open-parts.ts'
import { emptyHanded, type Visit } from './portal-pages.ts'

type Look = Readonly<{ theme: 'light' | 'dark'; width: number; height: number }>

const looks: readonly Look[] = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 360, height: 740 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 360, height: 740 },
]

type Sweep = Readonly<{
  openBrowser: () => Promise<Page>
  folder: string
}>

type Swept = {
  /** One line per fault and look. */
  faults: string[]
  /** Patterns of which an address answered with its page. */
  seen: Set<string>
}

export async function sweepVisits(visits: readonly Visit[], sweep: Sweep): Promise<Swept> {
  const { openBrowser, folder } = sweep
  const swept: Swept = { faults: [], seen: new Set() }
  const browsers = new Map<string, Page>()
  const queue = [...visits]
  const known = new Set(visits.map(({ path, role }) => `${role} ${path}`))
  for (const visit of queue) {
    const { role, organization, path, pattern } = visit
    const who = role === 'developer' ? `${role} ${organization}` : role
    const page = browsers.get(who) ?? (await openBrowser())
    if (!browsers.has(who)) await enterDemonstration(page, visit, folder)
    browsers.set(who, page)

    if (!(await open(page, visit))) continue
    swept.seen.add(pattern)
    for (const look of looks) swept.faults.push(...(await lookAt(page, look, `${role} ${path}`)))
    for (const tab of await tabsOf(page, path)) {
      if (known.has(`${role} ${tab}`)) continue
      known.add(`${role} ${tab}`)
      queue.push({ ...visit, path: tab })
    }
    for await (const part of openParts(page, path))
      swept.faults.push(...(await findFaults(page)).map((fault) => `${role} ${path}, ${part}: ${fault}`))
  }
  return swept
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
      (status < 400 || emptyHanded.has(pattern)) && pathname === decodeURI(new URL(path, page.url()).pathname)
    )
  }
}

async function lookAt(page: Page, { theme, width, height }: Look, name: string): Promise<string[]> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  const faults = await findFaults(page)
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  if (tooWide > 0) faults.push(`${tooWide} pixels scroll sideways`)
  return faults.map((fault) => `${name}, ${theme} ${width}: ${fault}`)
}

/** Views of the same page that have an address: its tabs and steps. */
async function tabsOf(page: Page, path: string): Promise<string[]> {
  const here = new URL(path, page.url())
  const links = await page
    .locator('main a[href]')
    .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href))
  return [...new Set(links)]
    .map((link) => new URL(link))
    .filter(({ pathname, searchParams }) => pathname === here.pathname && isView(searchParams))
    .map(({ pathname, search }) => `${pathname}${search}`)
}

const isView = (query: URLSearchParams) =>
  [...query.keys()].length === 1 && /^(?:tab|step|show|kind|view|lang)$/.test([...query.keys()][0] ?? '')
