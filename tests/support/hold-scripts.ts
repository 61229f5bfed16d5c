/** A slow connection, as a page meets it: its text is there and its scripts are not. */
import type { Page } from '@playwright/test'

const scripts = '**/*.js'

/** @returns releases them */
export async function holdScripts(page: Page): Promise<() => void> {
  let letThrough = () => {}
  const opened = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route(scripts, async (route) => {
    await opened
    await route.continue()
  })
  return letThrough
}
