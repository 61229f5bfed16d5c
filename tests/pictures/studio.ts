/**
 * The built portal on a database of its own and a clock that stands still, seen through a real browser: each state of a
 * page is made by the services, pictured in both themes and two widths, and looked at by axe.
 */
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { afterAll, expect } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { createApp } from '../../server/app.ts'
import { loadPortal } from '../../server/portal/load-portal.ts'
import type { Services } from '../../server/services.ts'
import { findFaults } from '../support/axe.ts'
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts'
import { settle } from '../support/screenshot.ts'
import { type TestServices, type TestServicesOptions, testServices } from '../support/services.ts'

const folder = 'test-results/screenshots'

const looks = [
  { theme: 'light', width: 1280, height: 800, only: undefined },
  { theme: 'dark', width: 1280, height: 800, only: 'contrast' },
  { theme: 'light', width: 360, height: 740, only: 'contrast' },
  { theme: 'dark', width: 360, height: 740, only: undefined },
] as const

export type Studio = {
  services: TestServices
  origin: string
  serveAlso: (services: Services) => Promise<string>
  /** A browser of its own. */
  open: () => Promise<Page>
  /** Signs the browser of a page in, by the session's own cookie. @returns how the domain knows them */
  enter: (
    page: Page,
    accountId: string,
    options?: { stale?: boolean; realm?: 'staff' | 'practice' },
  ) => Promise<void>
  /** Pictures of the page as it stands, `<name>-<theme>-<width>.png`; fails for what axe finds or scrolls sideways. */
  shoot: (page: Page, name: string) => Promise<void>
}

export async function openStudio(options: TestServicesOptions = {}): Promise<Studio> {
  mkdirSync(folder, { recursive: true })
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const environment = { PUBLIC_ORIGIN: origin, ...options.environment }
  const services = await testServices({ ...options, environment })
  await services.signingKeys.ensure()
  const portal = await loadPortal(services.env)
  const server = await listen(services, port)
  const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS })
  afterAll(async () => {
    await browser.close()
    await new Promise((resolve) => server.close(resolve))
  })

  /** Another server on the same portal, such as one whose database lies behind a gate. @returns its origin */
  async function serveAlso(other: Services): Promise<string> {
    const its = await listen(other, 0)
    afterAll(() => new Promise((resolve) => its.close(resolve)))
    return `http://localhost:${(its.address() as AddressInfo).port}`
  }

  function listen(of: Services, at: number): Promise<ServerType> {
    const { fetch } = createApp(of, portal.handler)
    return new Promise((resolve) => {
      const its = serve({ fetch, port: at, hostname: '127.0.0.1' }, () => resolve(its))
    })
  }

  async function open(): Promise<Page> {
    const page = await browser.newPage({ baseURL: origin })
    page.setDefaultTimeout(15_000)
    return page
  }

  const enter: Studio['enter'] = async (page, accountId, { stale = false, realm = 'staff' } = {}) => {
    const { session, cookie } = await services.sessions.start({
      ...{ accountId, realm, ip: '192.0.2.7', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
    })
    const at = stale ? new Date(services.clock().getTime() - 3_600_000) : services.clock()
    await services.prisma.session.update({
      where: { id: session.id },
      data: { authenticatedAt: at, mfaAt: at },
    })
    await keepCookie(page.context(), cookie)
  }

  async function keepCookie(context: BrowserContext, cookie: string): Promise<void> {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s)
    await context.clearCookies()
    await context.addCookies([{ name, value, url: origin }])
  }

  async function shoot(page: Page, name: string): Promise<void> {
    const faults: string[] = []
    for (const { theme, width, height, only } of looks) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
      await settle(page)
      const look = `${name}-${theme}-${width}`
      await page.screenshot({ path: `${folder}/${look}.png`, fullPage: true })
      faults.push(...(await findFaults(page, only)).map((fault) => `${look}: ${fault}`))
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (tooWide > 0) faults.push(`${look}: ${tooWide} pixels scroll sideways`)
    }
    expect.soft(faults, name).toEqual([])
  }

  return { services, origin, serveAlso, open, enter, shoot }
}
