/** What a page shows only when somebody opens it: menus, folded parts, dialogs, and forms that were refused. */
import type { Locator, Page } from '@playwright/test'
import { settle } from './screenshot.ts'

/** A preview of another page is only to be looked at. */
const usable = ':not([inert] *)'

/**
 * Opens one part after the other and names it; the page is as it was when the last one is done.
 * @param menus those of frames that were opened already: they are the same on every page
 */
export async function* openParts(page: Page, path: string, menus: Set<string>): AsyncGenerator<string> {
  await page.setViewportSize({ width: 1440, height: 900 })
  yield* openMenus(page, menus)
  yield* openFolds(page)
  // What the bar has no room for is in a menu of its own.
  await page.setViewportSize({ width: 360, height: 740 })
  yield* openMenus(page, menus)
  await page.setViewportSize({ width: 1440, height: 900 })
  yield* openDialogs(page, path)
  yield* refusedForms(page, path)
}

/** Of the frame around the page; each is opened on the first page that has it. */
async function* openMenus(page: Page, menus: Set<string>): AsyncGenerator<string> {
  for (const menu of await page.locator('details:not(main details)').all()) {
    const summary = menu.locator('summary').first()
    if (!(await summary.isVisible()) || (await menu.getAttribute('open')) !== null) continue
    const name = await nameOf(summary, 'menu')
    const links = await menu.locator('a').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    const key = [name, page.viewportSize()?.width, ...links].join(' ')
    if (menus.has(key)) continue
    menus.add(key)
    yield* openAlone(menu, `opened ${name}`)
  }
}

/** Folds of one name close each other, menus close on a click elsewhere; the rest is opened together. */
async function* openFolds(page: Page): AsyncGenerator<string> {
  const alone = page.locator(`main :is(details.drop, details[name])${usable}`)
  for (let index = 0; index < Math.min(await alone.count(), 12); index++) {
    const fold = alone.nth(index)
    const summary = fold.locator('summary').first()
    if (!(await summary.isVisible()) || (await fold.getAttribute('open')) !== null) continue
    yield* openAlone(fold, `opened ${await nameOf(summary, 'menu')}`)
  }
  const opened = await page.locator(`main details:not([open], .drop, [name])${usable}`).evaluateAll((all) => {
    for (const each of all) (each as HTMLDetailsElement).open = true
    return all.length
  })
  if (opened > 0) {
    await settle(page)
    yield `${opened} folds opened`
  }
}

async function* openAlone(fold: Locator, name: string): AsyncGenerator<string> {
  await fold.locator('summary').first().click()
  yield name
  await fold.evaluate((each: HTMLDetailsElement) => {
    each.open = false
  })
}

const nameOf = async (element: Locator, otherwise: string) =>
  ((await element.getAttribute('aria-label')) || (await element.textContent()) || otherwise).slice(0, 40)

async function* openDialogs(page: Page, path: string): AsyncGenerator<string> {
  const triggers = page.locator(`[aria-haspopup="dialog"]${usable}`)
  for (let index = 0; index < Math.min(await triggers.count(), 6); index++) {
    const trigger = triggers.nth(index)
    if (!(await trigger.isVisible())) continue
    const name = await nameOf(trigger, 'a button')
    await trigger.click()
    yield `dialog of ${name}`
    await page.keyboard.press('Escape')
  }
  if (await page.getByRole('dialog').isVisible()) await page.goto(path)
}

/** Sends each form whose required text is missing: it can only be refused. */
async function* refusedForms(page: Page, path: string): AsyncGenerator<string> {
  const forms = page
    .locator(`main form${usable}`)
    .filter({ has: page.locator(':is(input, textarea)[required]') })
  const count = await forms.count()
  for (let index = 0; index < Math.min(count, 6); index++) {
    const form = forms.nth(index)
    const field = form
      .locator(':is(input:not([type]), input[type=text], input[type=email], textarea)[required]')
      .first()
    const button = form.locator('button:not([type=button]):not([formnovalidate])').last()
    if (!(await field.isVisible()) || !(await button.isVisible()) || !(await button.isEnabled())) continue
    await field.fill('')
    await button.click()
    await page.waitForLoadState('networkidle')
    if (new URL(page.url()).pathname !== new URL(path, page.url()).pathname) {
      await page.goto(path)
      continue
    }
    yield `refused form ${index + 1}`
    await page.goto(path)
  }
}
