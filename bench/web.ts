/**
 * What a page costs a browser on a slow line: bytes as they are sent, and when its largest part is painted.
 * `npm run bench -- --only web`. Every page of the documentation: `npm run test:long -- --docs`.
 */
import { type Browser, chromium } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts'
import { createPageScale } from '../tests/support/page-weight.ts'
import { boundAndVerdict } from './aims.ts'
import type { Undo } from './clean-up.ts'
import { type Figure, median } from './figures.ts'

const pages: Record<string, readonly string[]> = {
  home: ['/'],
  documentation: [
    '/docs',
    '/docs/rest',
    '/docs/reference/rest/listPatients',
    '/docs/reference/fhir/Observation',
  ],
  explorer: ['/explorer'],
}
const visits = 5

type Weight = { bytes: number; paintedMs: number }

export async function reportWeb(undo: Undo, origin: string): Promise<Figure[]> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: BROWSER_FLAGS,
    handleSIGINT: false,
    handleSIGTERM: false,
  })
  undo(() => browser.close())
  console.log(
    `\nPages on a line of 1.6 Mbit/s, empty caches, the middle of ${visits} visits; of several the worst\n`,
  )
  print(['', 'figure', '', 'aim', ''])
  const figures: Figure[] = []
  for (const [kind, paths] of Object.entries(pages)) {
    const found: Weight[][] = []
    for (const path of paths) found.push(await visit(browser, origin, path))
    for (const figure of [
      worst(`${kind}, transferred`, 'kB', found, ({ bytes }) => bytes / 1_000),
      worst(`${kind}, largest part painted`, 's', found, ({ paintedMs }) => paintedMs / 1_000),
    ]) {
      figures.push(figure)
      print([
        figure.name,
        figure.value.toFixed(figure.unit === 's' ? 2 : 0),
        figure.unit,
        ...boundAndVerdict(figure),
      ])
    }
  }
  return figures
}

function worst(
  name: string,
  unit: Figure['unit'],
  found: readonly (readonly Weight[])[],
  numberOf: (weight: Weight) => number,
): Figure {
  const rounds = found.map((weights) => weights.map(numberOf))
  const [first = [], ...others] = rounds
  const most = others.reduce((one, other) => (median(other) > median(one) ? other : one), first)
  return { name, unit, value: median(most), rounds: most }
}

/** @throws Error for a page that does not answer 200: an error page is quick */
async function visit(browser: Browser, origin: string, path: string): Promise<Weight[]> {
  const weights: Weight[] = []
  for (let count = 0; count < visits; count += 1) {
    const context = await browser.newContext({ baseURL: origin })
    const weigh = await createPageScale(await context.newPage(), { slow: true })
    weights.push(await weigh(path))
    await context.close()
  }
  return weights
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(40) + rest.map((each) => each.padStart(12)).join(''))
}
