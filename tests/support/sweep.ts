/** Looks at a page: nothing for axe to find, nothing that scrolls sideways, in one look or in all of them. */
import { expect, type Page, test } from '@playwright/test'
import { findFaults } from './axe.ts'
import { screenshot, settle } from './screenshot.ts'

const light = { theme: 'light', width: 1280, height: 800, only: undefined } as const
const phone = { theme: 'dark', width: 360, height: 740, only: undefined } as const
/** The fourth pair would find again what these find. */
const everyLook = [light, { ...light, theme: 'dark', only: 'contrast' }, phone] as const

/** One page of each kind of part; `npm run test:long` looks at every page in every look. */
const onPhone: ReadonlySet<string> = new Set([
  '/',
  '/directory',
  '/verify',
  '/docs',
  '/docs/start',
  '/docs/errors/validation',
  '/docs/reference/fhir/Observation',
  '/docs/reference/rest/listPatients',
  '/explorer',
  '/explorer/rest/createPatient',
  'explorer-after-a-call',
  '/sign-up',
  'sign-up with faults',
  '/sign-in',
  '/status',
  'status incident',
  'palette',
  'the form of a registration',
  'the scope studio',
  'the page of a production key',
  'the claim of a production key',
  'two versions of a BAA',
  'signing with a fault',
  'sandbox people',
  'launch simulator',
  'log of a launch',
  'members',
  'signing in for an app',
  'patient-access',
  'practice-use',
  'practice-alerts',
  'withheld-found',
  'review queue',
  'the review of a production key',
  'the evidence of a request',
  'an act with a fault',
])

/** Says what is wrong with the page. */
export async function sweep(page: Page, name: string): Promise<void> {
  const looks = process.env.SWEEP === 'whole' ? everyLook : onPhone.has(name) ? [light, phone] : [light]
  for (const { theme, width, height, only } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // A busy machine paints the other theme late, and looks slowly: what is only late goes away, what is wrong stays.
    await expect
      .poll(() => findFaults(page, only), { message: `${name}, ${theme}, ${width} wide`, timeout: 15_000 })
      .toEqual([])
    await expectNoSidewaysScroll(page, name, width)
  }
  if (looks.length === 1) {
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page, name, 360)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: null })
  // What is clicked next has stopped moving.
  await settle(page)
  await screenshot(page, toFileName(name), test.info())
}

async function expectNoSidewaysScroll(page: Page, name: string, width: number): Promise<void> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(tooWide, `${name}, ${width} wide: pixels that scroll sideways`).toBeLessThanOrEqual(0)
}

/** Of the page's own words; the names of organizations that a run has made are numbered. */
function toFileName(name: string): string {
  const path = URL.canParse(name) ? new URL(name).pathname : name.replace(/\?.*$/, '')
  return path === '/' ? 'home' : path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')
}

export async function sweepPaths(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path)
    await sweep(page, path)
  }
}
