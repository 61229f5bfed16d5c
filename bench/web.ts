/**
 * What a page costs a browser: when its largest part is painted, and the JavaScript that comes with it, each beside
 * the same of the first page. `npm run bench -- --only web`.
 */
import { type Browser, chromium } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts'

const pages = [
  '/',
  '/docs',
  '/docs/rest',
  '/explorer',
  '/explorer/fhir',
  '/explorer/mcp',
  '/explorer/reference',
]
const runs = 3

type Cost = { lcpMs: number; scriptKb: number }

export async function reportWeb(origin: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS })
  try {
    console.log('\nPages in a browser, a new one each time, the middle of three\n')
    print(['', 'LCP ms', '× home', 'JS kB', '× home'])
    let home: Cost | null = null
    for (const path of pages) {
      const cost = await costOf(browser, origin + path)
      home ??= cost
      print([
        path,
        cost.lcpMs.toFixed(0),
        (cost.lcpMs / home.lcpMs).toFixed(1),
        cost.scriptKb.toFixed(0),
        (cost.scriptKb / home.scriptKb).toFixed(1),
      ])
    }
  } finally {
    await browser.close()
  }
}

async function costOf(browser: Browser, url: string): Promise<Cost> {
  const costs: Cost[] = []
  for (let run = 0; run < runs; run++) costs.push(await visit(browser, url))
  costs.sort((one, other) => one.lcpMs - other.lcpMs)
  const middle = costs[Math.floor(runs / 2)]
  if (!middle) throw new Error('no visit')
  return middle
}

/** With empty caches. @throws Error for a page that does not answer 200: an error page is quick */
async function visit(browser: Browser, url: string): Promise<Cost> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const answer = await page.goto(url, { waitUntil: 'networkidle' })
    if (answer?.status() !== 200) throw new Error(`${url} answers ${answer?.status()}`)
    return await page.evaluate(async () => {
      const lcpMs = await new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe(
          {
            type: 'largest-contentful-paint',
            buffered: true,
          },
        )
      })
      const scripts = performance
        .getEntriesByType('resource')
        .filter((entry) => /\.js(\?|$)/.test(entry.name)) as PerformanceResourceTiming[]
      return {
        lcpMs,
        scriptKb: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
      }
    })
  } finally {
    await context.close()
  }
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(30) + rest.map((each) => each.padStart(14)).join(''))
}
