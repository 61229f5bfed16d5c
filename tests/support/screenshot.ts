/** With PICTURES=1, journeys save screenshots in both themes and two widths. No test compares them. */
import type { Page, TestInfo } from '@playwright/test'

/** Off by default, because screenshots take longer than the rest of a journey. */
const isEnabled = process.env.PICTURES === '1'

const themes = ['light', 'dark'] as const
const widths = [1280, 360] as const
const heights: Record<(typeof widths)[number], number> = { 1280: 800, 360: 740 }

/** Writes `<name>-<theme>-<width>.png` for each pair below `test-results/screenshots`. */
export async function screenshot(page: Page, name: string, testInfo: TestInfo): Promise<void> {
  if (!isEnabled) return
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width] })
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await saveScreenshot(page, `${name}-${theme}-${width}`, testInfo)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}

async function saveScreenshot(page: Page, file: string, testInfo: TestInfo): Promise<void> {
  // On a scrolled page, sticky headers would cover the middle of the screenshot.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await settle(page)
  const path = `${testInfo.config.rootDir}/../../test-results/screenshots/${file}.png`
  await page.screenshot({ path, fullPage: true })
}

/**
 * Waits until a new theme or size is painted and its color transitions have ended: a screenshot taken earlier shows
 * a mix of both.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    // Endless animations, such as a skeleton's, are skipped. An inherited color starts a new transition with each step
    // of its parent's, hence the rounds.
    for (let rounds = 0; rounds < 20; rounds++) {
      const ending = document
        .getAnimations()
        .filter((each) => each.playState === 'running' && each.effect?.getTiming().iterations !== Infinity)
      if (ending.length === 0) break
      await Promise.all(ending.map((each) => each.finished.catch(() => {})))
      await new Promise((painted) => requestAnimationFrame(painted))
    }
    await new Promise((painted) => requestAnimationFrame(painted))
  })
}
