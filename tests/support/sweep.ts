/** Looks at a page in both themes and both widths: nothing for axe to find, nothing that scrolls sideways. */
import { expect, type Page, test } from '@playwright/test'
import { findFaults } from './axe.ts'
import { screenshot, settle } from './screenshot.ts'

/** Both themes and both widths; the fourth pair would find again what these find. */
const looks = [
  { theme: 'light', width: 1280, height: 800, only: undefined },
  { theme: 'dark', width: 1280, height: 800, only: 'contrast' },
  { theme: 'dark', width: 360, height: 740, only: undefined },
] as const

/** Says what is wrong with the page in any of the looks. */
export async function sweep(page: Page, name: string): Promise<void> {
  for (const { theme, width, height, only } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // A busy machine paints the other theme late, and looks slowly: what is only late goes away, what is wrong stays.
    await expect
      .poll(() => findFaults(page, only), { message: `${name}, ${theme}, ${width} wide`, timeout: 15_000 })
      .toEqual([])
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(tooWide, `${name}, ${width} wide: pixels that scroll sideways`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: null })
  // What is clicked next has stopped moving.
  await settle(page)
  await screenshot(page, toFileName(name), test.info())
}

/** Of the page's own words; the names of organizations that a run has made are numbered. */
function toFileName(name: string): string {
  const path = URL.canParse(name) ? new URL(name).pathname : name.replace(/\?.*$/, '')
  return path === '/' ? 'home' : path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')
}

export async function sweepPaths(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path)
    await sweep(page, path)
  }
}
