import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import type { ParsedMail } from 'mailparser'
import { mailTo } from '../support/smtp-drop.ts'

type Journey = {
  /** Origin of the running server. */
  origin: string
  /** Waits until an address has received so many mails, and gives the newest. */
  newestMail: (address: string, atLeast?: number) => Promise<ParsedMail>
  /** What `npm start` prints under "Demonstration sign-ins". */
  demoSignIns: () => string
}

function fromSetup(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is missing: journeys run by npm test or npx playwright test`)
  return value
}

/** Playwright's `test` on a running server with a real mailbox behind it. */
export const test = base.extend<Journey>({
  baseURL: async ({ origin }, use) => use(origin),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
  origin: async ({}, use) => use(fromSetup('JOURNEY_ORIGIN')),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  newestMail: async ({}, use) => {
    const folder = fromSetup('JOURNEY_MAIL_FOLDER')
    await use(async (address, atLeast = 1) => {
      await expect
        .poll(async () => (await mailTo(folder, address)).length, {
          message: `mail to ${address}`,
          timeout: 20_000,
        })
        .toBeGreaterThanOrEqual(atLeast)
      const mails = await mailTo(folder, address)
      const newest = mails.at(-1)
      if (!newest) throw new Error(`no mail to ${address}`)
      return newest
    })
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  demoSignIns: async ({}, use) => {
    const folder = fromSetup('JOURNEY_DATA_FOLDER')
    await use(() => readFileSync(join(folder, 'demo-sign-ins.txt'), 'utf8'))
  },
})

export { expect }
