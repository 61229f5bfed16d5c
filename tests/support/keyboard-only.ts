/**
 * Journeys without a mouse: with KEYBOARD_ONLY=1 every click, tick and entry of a locator first goes to the element by
 * Tab, or by arrow keys inside a group, and then presses a key. Collected for the end of the test: focus that nobody
 * can see, and focus that an action lost.
 */
import type { JSHandle, Locator, Page } from '@playwright/test'
import { listTabStops, readFocus, targetOf } from './keyboard-focus.ts'

export const keyboardOnly = process.env.KEYBOARD_ONLY === '1'

/** More presses than any page has stops: beyond them an element counts as out of reach. */
const pressesMax = 400

type Last = { action: string; timeOrigin: number }

const problems: string[] = []
const lastActions = new WeakMap<Page, Last>()
let isInstalled = false

/** What was found since the last call. */
export function takeKeyboardProblems(): string[] {
  return [...new Set(problems.splice(0))]
}

/** Replaces the actions of all locators of this process. */
export function installKeyboard(page: Page): void {
  if (isInstalled) return
  isInstalled = true
  const actions = Object.getPrototypeOf(page.locator('html')) as Record<string, unknown> & Locator
  const { check, uncheck, selectOption, setInputFiles, fill } = actions

  const checked = (original: Locator['check'], wanted: boolean): Locator['check'] =>
    async function (this: Locator, options) {
      await reach(this)
      if ((await this.isChecked()) !== wanted) await this.page().keyboard.press('Space')
      // Waits for the state, and does nothing when it is there.
      await original.call(this, options)
    }

  Object.assign(actions, {
    click: press,
    dblclick: press,
    async focus(this: Locator) {
      await reach(this)
    },
    async press(this: Locator, key: string) {
      await reach(this)
      await this.page().keyboard.press(key)
    },
    async fill(this: Locator, text: string) {
      const type = await reach(this)
      // Parts of a date are typed in the order of the visitor's locale.
      if (/^(?:date|datetime-local|time|color|range)$/.test(type)) return fill.call(this, text)
      const { keyboard } = this.page()
      await keyboard.press('ControlOrMeta+a')
      await (text === '' ? keyboard.press('Delete') : keyboard.insertText(text))
    },
    async clear(this: Locator) {
      await this.fill('')
    },
    check: checked(check, true),
    uncheck: checked(uncheck, false),
    async selectOption(this: Locator, ...options: Parameters<Locator['selectOption']>) {
      await reach(this)
      return selectOption.apply(this, options)
    },
    async setInputFiles(this: Locator, ...files: Parameters<Locator['setInputFiles']>) {
      await reach(this)
      return setInputFiles.apply(this, files)
    },
  })
}

/** What a click is on the keyboard. */
async function press(this: Locator): Promise<void> {
  const page = this.page()
  await noteLostFocus(page)
  const handle = await this.elementHandle({ timeout: 15_000 })
  await handle.waitForElementState('enabled')
  const timeOrigin = await timeOriginOf(page)
  const isOption = await handle.evaluate((element) => element.closest('[role=option]') !== null)
  if (isOption) {
    await chooseOption(page, handle)
    await page.keyboard.press('Enter')
  } else {
    const kind = await reach(this)
    await page.keyboard.press(/^(?:checkbox|radio)$/.test(kind) ? 'Space' : 'Enter')
  }
  lastActions.set(page, { action: `click on ${this}`, timeOrigin })
}

/** Goes to what the locator names. @returns its type as an input, or its name as an element */
async function reach(locator: Locator): Promise<string> {
  const page = locator.page()
  await noteLostFocus(page)
  const handle = await locator.elementHandle({ timeout: 15_000 })
  const target = await handle.evaluateHandle(targetOf)
  const kind = await target.evaluate((element) => {
    if (element === null) return null
    return element instanceof HTMLInputElement ? element.type : element.localName
  })
  if (kind === null) throw new Error(`${locator} takes no focus: nobody reaches it without a mouse`)
  const { forwards } = await target.evaluate(listTabStops)
  for (let presses = 0; presses <= pressesMax; presses++) {
    const focus = await target.evaluate(readFocus)
    if (focus.invisible) problems.push(`the focus is invisible on ${focus.invisible} of ${pathOf(page)}`)
    if (focus.isThere) return kind
    // In a group of radio buttons Tab finds the chosen one, and arrows go on from there.
    await page.keyboard.press(focus.isInGroup ? 'ArrowDown' : forwards ? 'Tab' : 'Shift+Tab')
  }
  throw new Error(`${locator} is not reached by ${pressesMax} presses of ${forwards ? 'Tab' : 'Shift+Tab'}`)
}

async function chooseOption(page: Page, option: JSHandle<Element>): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const isChosen = await option.evaluate(
      (element) => element.closest('[role=option]')?.getAttribute('aria-selected') === 'true',
    )
    if (isChosen) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error('arrow keys do not reach the option')
}

/** By now the page has answered the action before: the focus must be somewhere in it. */
async function noteLostFocus(page: Page): Promise<void> {
  const last = lastActions.get(page)
  lastActions.delete(page)
  if (!last) return
  const read = () =>
    page.evaluate(() => {
      const { activeElement } = document
      const isLost = activeElement === null || activeElement === document.body
      return { isLost, timeOrigin: performance.timeOrigin }
    })
  // The action may have asked for another document, which comes just now.
  let { isLost, timeOrigin } = await read().catch(() => page.waitForLoadState().then(read))
  if (!isLost) return
  // The page gives it to something in a later frame.
  await page
    .waitForFunction(() => document.activeElement !== document.body, undefined, { timeout: 2_000 })
    .catch(() => null)
  ;({ isLost, timeOrigin } = await read())
  if (isLost && timeOrigin === last.timeOrigin)
    problems.push(`the focus was lost after the ${last.action}, on ${pathOf(page)}`)
}

/** Another one for every document. */
const timeOriginOf = (page: Page) => page.evaluate(() => performance.timeOrigin)

/** Names that a run makes up are left out. */
const pathOf = (page: Page) => new URL(page.url()).pathname.replace(/[0-9a-f]{8}[0-9a-f-]*/g, '…')
