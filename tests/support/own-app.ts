/** An app of one's own for journeys, made on the page that makes them. */
import { expect, type Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { done } from './journey-steps.ts'

type NewApp = {
  name: string
  audience: 'patient' | 'clinician' | 'backend'
  /** Of an app that people sign in to. */
  redirectUri?: string
  /** Of a backend. */
  jwks?: string
}

const scopes = {
  patient: 'openid fhirUser launch/patient offline_access patient/*.rs',
  clinician: 'openid fhirUser launch launch/patient offline_access user/*.rs',
  backend: 'system/*.rs',
}
const kinds = { patient: 'Patients', clinician: 'Clinicians', backend: 'No person: a backend system' }

/** @returns the sandbox client ID */
export async function createOwnApp(page: Page, slug: string, { name, audience, redirectUri, jwks }: NewApp) {
  await page.goto(paths.organizationApps(slug))
  await page.getByRole('link', { name: 'Register an app' }).click()
  await page.getByLabel('Name of the app').fill(name)
  await page.getByLabel(kinds[audience]).check()
  if (jwks) {
    await page.getByLabel('Signs its requests').check()
    await page.getByRole('textbox', { name: 'Key set (JWKS)' }).fill(jwks)
  }
  if (redirectUri) await page.getByLabel('Redirect addresses').fill(redirectUri)
  await page.getByRole('textbox', { name: 'Scopes' }).fill(scopes[audience])
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(done(page, 'Draft saved.')).toBeVisible()
  return (await page.getByText(/^sbx-[0-9a-f]{24}$/).textContent()) ?? ''
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
