/** An app of one's own for journeys, made on the page that makes them. */
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { createApp } from './journey-steps.ts'

/** @returns the sandbox client ID */
export async function createOwnApp(page: Page, slug: string, app: Parameters<typeof createApp>[1]) {
  await page.goto(paths.organizationApps(slug))
  await page.getByRole('link', { name: 'New app' }).click()
  return createApp(page, app)
}

/** The consent page's address that a terminal shows. */
export const addressIn = (text: string) => /https?:\/\/\S+\/authorize\?\S+/.exec(text)?.[0] ?? ''

/** Opens an address that ends at the app. @returns the code that the app is given */
export async function codeAfter(
  page: Page,
  redirectUri: string,
  open: () => Promise<unknown>,
): Promise<string> {
  const landed = page.waitForRequest((request) => request.url().startsWith(`${redirectUri}?`))
  // Nothing listens at the redirect URI, so that opening it fails.
  await open().catch(() => {})
  return new URL((await landed).url()).searchParams.get('code') ?? ''
}
