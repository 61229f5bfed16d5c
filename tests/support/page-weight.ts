/** What a page costs its reader: bytes on the line, and on a slow line the time until its largest part is seen. */
import type { Page } from '@playwright/test'

type PageWeight = {
  /** As they were sent, with headers. */
  bytes: number
  /** Of the largest part in view, from the beginning of the visit. */
  paintedMs: number
}

/** A line of 1.6 Mbit/s down, 750 kbit/s up, with 150 ms to and fro. */
const slowLine = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

/** Opens pages with an empty cache each. */
export async function createPageScale(page: Page, { slow = false } = {}) {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  if (slow) await session.send('Network.emulateNetworkConditions', slowLine)

  return async (path: string): Promise<PageWeight> => {
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
