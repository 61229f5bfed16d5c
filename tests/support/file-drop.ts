/** Files as a person drops them on a page, and a connection that is slow or gone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'

/** Drops files, or a folder, from the disk. */
export async function dropFiles(page: Page, on: Locator, files: readonly string[]): Promise<void> {
  await on.scrollIntoViewIfNeeded()
  const box = await on.boundingBox()
  if (!box) throw new Error('there is nothing to drop on')
  const session = await page.context().newCDPSession(page)
  const at = {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    data: { items: [], files: [...files], dragOperationsMask: 1 },
  }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at })
  await session.detach()
}

/** A connection that is slow, gone, and back. */
export async function openNetwork(page: Page) {
  const session = await page.context().newCDPSession(page)
  const set = (offline: boolean, uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  return {
    slow: (bytesPerSecond: number) => set(false, bytesPerSecond),
    lose: () => set(true, -1),
    restore: () => set(false, -1),
  }
}

/** @returns the path of a file with this content */
export function writeTestFile(folder: string, name: string, content: string | Uint8Array): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
