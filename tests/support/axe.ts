/** Accessibility faults of a page as it stands, by axe-core: https://github.com/dequelabs/axe-core */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { settle } from './screenshot.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 AA and what axe calls best practice. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * One line per fault, with the first elements that have it; none for a page without any.
 * @param only `contrast` looks at colours alone, where the shape of the page was looked at before
 */
export async function findFaults(page: Page, only?: 'contrast'): Promise<string[]> {
  await settle(page)
  // Half scrolled, the bar at the top lies over whatever is there, which is no fault of the page.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  // The debugger's protocol puts the script in, so the page's policy stays as it is. Once for each document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const violations = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: typeof axe }).axe
        .run(document, { runOnly, resultTypes: ['violations'], iframes: false })
        .then((results) => results.violations),
    only === 'contrast' ? ['color-contrast'] : tags,
  )
  return violations.map(({ id, nodes }) => {
    const where = nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
    return `${id}: ${where.join(' | ')}`
  })
}
