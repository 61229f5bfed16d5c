/** What a page costs its reader: bytes on the line, and on a slow line the time until its largest part is seen. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { Page } from '@playwright/test'

/** A line of 1.6 Mbit/s down, 750 kbit/s up, with 150 ms to and fro. */
const slowLine = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

/**
 * Opens pages with an empty cache each.
 * @returns bytes as they were sent, with headers, and when the largest part in view was painted
 */
export async function createPageScale(page: Page, { slow = false } = {}) {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  if (slow) await session.send('Network.emulateNetworkConditions', slowLine)

  return async (path: string) => {
    bytes = 0
    const response = await page.goto(path, { waitUntil: 'networkidle' })
    if (response?.status() !== 200) throw new Error(`${path} answered ${response?.status()}`)
    return { bytes, paintedMs: await page.evaluate(largestPaint) }
  }
}

function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
  })
}

/** The scripts of each page of the build, Remix’s list of routes too: how many files, and their bytes when compressed. */
export function weighScripts(client = 'build/portal/client') {
  const list = readdirSync(`${client}/assets`).find((name) => /^manifest-.*js$/.test(name))
  const text = readFileSync(`${client}/assets/${list}`, 'utf8').replace(/^[^{]*|;$/g, '')
  const { entry, routes } = JSON.parse(text)
  const filesOf = (id?: string): string[] => {
    const { module, imports, parentId } = id === undefined ? entry : routes[id]
    return [module, ...imports, ...(id === undefined ? [] : filesOf(parentId))]
  }
  const bytesOf = (file: string) => statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size
  return Object.keys(routes).map((id) => {
    const files = [...new Set([`/assets/${list}`, ...filesOf(id)])]
    return { id, files: files.length, bytes: files.reduce((sum, file) => sum + bytesOf(client + file), 0) }
  })
}
