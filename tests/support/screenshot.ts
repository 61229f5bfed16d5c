/** Pictures to look at, in both themes and two widths, for those who ask for them: PICTURES=1. Nothing is compared. */
import type { Page, TestInfo } from '@playwright/test'

/** They take longer than the rest of a journey. */
const picturesAreAskedFor = process.env.PICTURES === '1'

const themes = ['light', 'dark'] as const
const widths = [1280, 360] as const
const heights: Record<(typeof widths)[number], number> = { 1280: 800, 360: 740 }

/** Writes `<name>-<theme>-<width>.png` for each pair below `test-results/screenshots`. */
export async function screenshot(page: Page, name: string, testInfo: TestInfo): Promise<void> {
  if (!picturesAreAskedFor) return
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: heights[width] })
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await takePicture(page, `${name}-${theme}-${width}`, testInfo)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}

/** One picture of the page as it stands, `<file>.png`. */
async function takePicture(page: Page, file: string, testInfo: TestInfo): Promise<void> {
  // What sticks to the top would lie across the middle of a page that is scrolled.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await settle(page)
  const path = `${testInfo.config.rootDir}/../../test-results/screenshots/${file}.png`
  await page.screenshot({ path, fullPage: true })
}

/**
 * A new theme or size is painted after the next frame, and colours that change slowly only when they have changed:
 * a picture taken before shows half of each.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    // Those that never end, such as a skeleton's, are not waited for. A color that is inherited begins to change anew
    // with each step of the color above it.
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
