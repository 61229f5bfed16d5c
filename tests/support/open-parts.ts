/** What a page shows only when somebody opens it: menus, folded parts, dialogs, and forms that were refused. */
import type { Page } from '@playwright/test'
import { settle } from './screenshot.ts'

/**
 * Opens one part after the other and names it; the page is as it was when the last one is done.
 * @param menus those of frames that were opened already: they are the same on every page
 */
export async function* openParts(page: Page, path: string, menus: Set<string>): AsyncGenerator<string> {
  await page.setViewportSize({ width: 1440, height: 900 })
  yield* openFolds(page, menus)
  yield* openDialogs(page, path)
  yield* refusedForms(page, path)
}

/** Folds of one name close each other, menus close on a click elsewhere; the rest is opened together. */
async function* openFolds(page: Page, menus: Set<string>): AsyncGenerator<string> {
  const alone = page.locator('details.drop, details[name]')
  for (let index = 0; index < Math.min(await alone.count(), 12); index++) {
    const fold = alone.nth(index)
    const summary = fold.locator('summary').first()
    if (!(await summary.isVisible()) || (await fold.getAttribute('open')) !== null) continue
    const name = (await summary.textContent()) || ((await summary.getAttribute('aria-label')) ?? 'menu')
    if (await fold.evaluate((each) => each.closest('main') === null)) {
      const links = await fold.locator('a').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
      const menu = [name, ...links].join(' ')
      if (menus.has(menu)) continue
      menus.add(menu)
    }
    await summary.click()
    yield `opened ${name.slice(0, 40)}`
    await fold.evaluate((each: HTMLDetailsElement) => {
      each.open = false
    })
  }
  const opened = await page.locator('details:not([open], .drop, [name])').evaluateAll((all) => {
    for (const each of all) (each as HTMLDetailsElement).open = true
    return all.length
  })
  if (opened > 0) {
    await settle(page)
    yield `${opened} folds opened`
  }
}

async function* openDialogs(page: Page, path: string): AsyncGenerator<string> {
  const triggers = page.locator('[aria-haspopup="dialog"]')
  for (let index = 0; index < Math.min(await triggers.count(), 6); index++) {
    const trigger = triggers.nth(index)
    if (!(await trigger.isVisible())) continue
    const name = (await trigger.textContent()) || ((await trigger.getAttribute('aria-label')) ?? '')
    await trigger.click()
    yield `dialog of ${name.slice(0, 40)}`
    await page.keyboard.press('Escape')
  }
  if (await page.getByRole('dialog').isVisible()) await page.goto(path)
}

/** Sends each form whose required text is missing: it can only be refused. */
async function* refusedForms(page: Page, path: string): AsyncGenerator<string> {
  const forms = page.locator('main form').filter({ has: page.locator(':is(input, textarea)[required]') })
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
