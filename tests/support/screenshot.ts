/** Pictures to look at, in both themes and two widths; nothing is compared. */
import type { Page, TestInfo } from '@playwright/test'

export const themes = ['light', 'dark'] as const
export const widths = [1280, 360] as const
const heights: Record<(typeof widths)[number], number> = { 1280: 800, 360: 740 }

/** Writes `<name>-<theme>-<width>.png` for each pair below `test-results/screenshots`. */
export async function screenshot(page: Page, name: string, testInfo: TestInfo): Promise<void> {
  const before = page.viewportSize()
  const folder = `${testInfo.config.rootDir}/../../test-results/screenshots`
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width] })
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      // What sticks to the top would lie across the middle of a page that is scrolled.
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png`, fullPage: true })
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
