/** The documentation as it is read: small, at once, without a script or with the small one. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { headingOf } from '../support/journey-steps.ts'
import { createPageScale, weighScripts } from '../support/page-weight.ts'

/** What a first visit may transfer. */
const bytesMax = { home: 150_000, docs: 100_000 }

/** With `npm run test:long -- --docs`: every page. With `--pages` axe looks at each of them. */
const whole = process.env.SWEEP === 'whole'
/** Until the largest part of a page is painted, on a slow line: what we aim at. */
const paintedMsMax = 1_200

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('the home page and the documentation transfer little', async ({ page }) => {
  const weigh = await createPageScale(page)

  expect((await weigh('/')).bytes).toBeLessThanOrEqual(bytesMax.home)
  for (const path of [
    '/docs',
    '/docs/rest',
    '/docs/reference/rest/listPatients',
    '/docs/reference/fhir/Observation',
  ])
    expect((await weigh(path)).bytes, path).toBeLessThanOrEqual(bytesMax.docs)
})

test('no page loads more than 160 kB of script, nor more than 25 files of it', () => {
  const pages = weighScripts()

  expect(pages.length).toBeGreaterThan(200)
  expect(pages.filter(({ bytes, files }) => bytes > 160_000 || files > 25)).toEqual([])
})

test('a reader copies a command, keeps a language and follows the sections of a page', async ({ page }) => {
  await page.goto('/docs/rest')
  const command = page.getByRole('region', { name: /^Terminal: curl/ }).first()
  const shown = (await command.textContent()) ?? ''
  const copy = page.getByRole('button', { name: /^Copy: Terminal: curl/ }).first()
  await copy.click()
  await expect(copy).toContainText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)

  await page.getByRole('radio', { name: 'Python' }).first().check()
  await expect(page.getByRole('radio', { name: 'Python', checked: false })).toHaveCount(0)
  await page.goto('/docs/paging')
  await expect(page.getByRole('radio', { name: 'Python' }).first()).toBeChecked()

  const here = page.getByRole('navigation', { name: 'On this page' })
  const last = here.getByRole('link').last()
  await last.click()
  await expect(last).toHaveAttribute('aria-current', 'true')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('what we check')
  await page.keyboard.press('Enter')
  await expect(headingOf(page, 'What we check')).toBeVisible()
})

test('a page of the documentation is read, searched and switched without a script', async ({
  openBrowser,
}) => {
  const page = await openBrowser({ javaScriptEnabled: false })
  await page.goto('/docs/rest')
  expect(await unreadable(page)).toEqual([])

  await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('refresh a token')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('link', { name: 'Refresh an access token' }).first().click()
  await expect(headingOf(page, 'Refresh, check and end a token')).toBeVisible()
})

if (whole)
  test('every page of the documentation is small, painted early, and read without a script', async ({
    page,
    openBrowser,
  }) => {
    test.setTimeout(3_600_000)
    const listed = await listPages(page)
    expect(listed.length).toBeGreaterThan(120)
    const paths = listed.filter((path) => path.includes(process.env.SWEEP_ONLY ?? ''))
    const plain = await openBrowser({ javaScriptEnabled: false })
    const weigh = await createPageScale(page, { slow: true })
    const faults: string[] = []
    for (const path of paths) {
      const { bytes, paintedMs } = await weigh(path)
      if (bytes > (path === '/' ? bytesMax.home : bytesMax.docs)) faults.push(`${path}: ${bytes} bytes`)
      if (!(paintedMs <= paintedMsMax)) faults.push(`${path}: painted after ${paintedMs} ms`)
      await plain.goto(path)
      for (const fault of await unreadable(plain)) faults.push(`${path}, without a script: ${fault}`)
    }
    expect(faults).toEqual([])
  })

/** Every page of the documentation, as it lists them itself, and the home page. */
async function listPages({ request }: Page): Promise<string[]> {
  const list = await (await request.get('/llms.txt')).text()
  const listed = [...list.matchAll(/\]\(https?:\/\/[^/)]+(\/docs[^)]*)\.md\)/g)].map(([, path = '']) => path)
  return ['/', '/docs', '/docs/reference', '/docs/search?q=token', ...new Set(listed)]
}

/** What of a page somebody without a script does not get to: its text, its navigation, the search, a tab. */
async function unreadable(page: Page): Promise<string[]> {
  const faults: string[] = []
  if (!(await page.locator('main h1').isVisible())) faults.push('no heading')
  if (new URL(page.url()).pathname === '/') return faults
  if (!(await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link').first().isVisible()))
    faults.push('no navigation')
  if (!(await page.getByRole('search').getByRole('searchbox').isVisible())) faults.push('no search')
  return [...faults, ...(await page.evaluate(emptyTabs))]
}

/** Tabs that show nothing when they are chosen. */
function emptyTabs(): string[] {
  return [...document.querySelectorAll('.switcher')].flatMap((switcher) =>
    [...switcher.querySelectorAll<HTMLInputElement>(':scope > .switches input')].flatMap((tab, place) => {
      tab.click()
      const shows = switcher.querySelector(`:scope > .pane-${place}`)?.checkVisibility() ?? false
      // A choice in a pane that is closed is seen when that opens.
      return shows || !switcher.checkVisibility()
        ? []
        : [`nothing below the tab ${tab.parentElement?.textContent}`]
    }),
  )
}
