/** The page of the sample apps, and what a sample's person signs in with. */
import { expect, type Page } from '@playwright/test'
import { done, headingOf } from './journey-steps.ts'

export async function openSamples(page: Page, organization: string): Promise<void> {
  await page.goto(`${organization}/apps`)
  await page.getByRole('link', { name: 'Use the sample apps' }).click()
  await expect(headingOf(page, 'Sample apps')).toBeVisible()
}

export const commandOf = async (page: Page, title: string) =>
  (await page.getByRole('region', { name: `Command: ${title}` }).textContent()) ?? ''

export async function registerSamples(page: Page, keys = ''): Promise<void> {
  await page.getByLabel('Public key set').fill(keys)
  await page.getByRole('button', { name: 'Register sample apps' }).click()
  await expect(done(page, 'Registered. Copy the command and run it.')).toBeVisible()
}

type SignIn = { email: string; password: string }

/** Of a standing person, as the sign-ins page shows it, which is open. */
export async function signInOf(page: Page, name: RegExp): Promise<SignIn> {
  const password = page.locator('#password').locator('xpath=ancestor::section').getByRole('code')
  return {
    email: (await page.getByRole('row', { name }).getByRole('code').last().textContent()) ?? '',
    password: (await password.textContent()) ?? '',
  }
}

/** On the page that an app has led to. */
export async function signInAtSandbox(page: Page, { email, password }: SignIn): Promise<void> {
  await expect(headingOf(page, /^Sign in to /)).toBeVisible({ timeout: 30_000 })
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
