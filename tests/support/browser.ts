import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The same engine without windows: a third less work for the same journeys. */
const DEBIAN_HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const DEBIAN_CHROMIUM = '/usr/bin/chromium'

/** Quiet and offline: nothing but the pages under test is asked for. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Path of a Chromium to run the journeys in: CHROMIUM_PATH, Debian's headless shell, Debian's browser, Playwright's
 * own, and at last a headless shell installed now, which only root on Debian can.
 * @throws Error with what to do
 */
export function findBrowser(): string {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (existsSync(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH names ${chosen}, and there is no such file`)
  }
  const found = [DEBIAN_HEADLESS_SHELL, DEBIAN_CHROMIUM, chromium.executablePath()].find((path) =>
    existsSync(path),
  )
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing chromium-headless-shell for the journeys (apt-get) …')
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = { stdio: 'inherit', env: environment } as const
    execFileSync('apt-get', ['update', '-qq'], options)
    execFileSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
      options,
    )
    if (existsSync(DEBIAN_HEADLESS_SHELL)) return DEBIAN_HEADLESS_SHELL
  }
  throw new Error(
    'The journeys need Chromium. Install it (npx playwright install chromium, or your system’s package), ' +
      'or name one with CHROMIUM_PATH=.',
  )
}
