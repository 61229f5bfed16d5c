/** Looks at a page in both themes and two widths: nothing for axe to find, nothing that scrolls sideways. */
import { expect, type Page, test } from '@playwright/test'
import { findFaults } from './axe.ts'
import { takePicture } from './screenshot.ts'

const looks = [
  { theme: 'light', width: 1280, height: 800, only: undefined },
  { theme: 'dark', width: 1280, height: 800, only: 'contrast' },
  { theme: 'dark', width: 360, height: 740, only: undefined },
  { theme: 'light', width: 360, height: 740, only: 'contrast' },
] as const

/** Pages that no other journey takes pictures of. */
const pictures: readonly (readonly [page: RegExp, file: string])[] = [
  [/^\/sign-up$/, 'sign-up'],
  [/^\/legal\/sandbox-terms$/, 'sandbox-terms'],
  [/^\/dev\/emails$/, 'mail-templates'],
  [/^\/account$/, 'account'],
  [/^\/account\/email$/, 'change-address'],
  [/^\/developers\/organizations\/new$/, 'new-organization'],
  [/\/settings$/, 'settings'],
  [/^the dashboard with a key$/, 'dashboard-key'],
  [/^review$/, 'review-console'],
  [/^practice$/, 'practice-console'],
  [/^exports of a practice$/, 'exports-practice'],
  [/^exports of an app$/, 'exports-app'],
]

/** Says what is wrong with the page in any of the looks. */
export async function sweep(page: Page, name: string): Promise<void> {
  const picture = pictures.find(([pattern]) => pattern.test(name))?.[1]
  for (const { theme, width, height, only } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // A busy machine paints the other theme late, and looks slowly: what is only late goes away, what is wrong stays.
    await expect
      .poll(() => findFaults(page, only), { message: `${name}, ${theme}, ${width} wide`, timeout: 15_000 })
      .toEqual([])
    if (picture) await takePicture(page, `${picture}-${theme}-${width}`, test.info())
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(tooWide, `${name}, ${width} wide: pixels that scroll sideways`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

export async function sweepPaths(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path)
    await sweep(page, path)
  }
}
