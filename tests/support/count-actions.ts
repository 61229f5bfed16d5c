/** How many clicks a journey takes, how many fields are filled in, and how far the page is scrolled. */
import type { BrowserContext } from '@playwright/test'

export type Actions = { clicks: number; fields: number; scrolledPixels: number }

/** Counts what a hand does in every page of the browser from now on; the page's own jumps down count as scrolling. */
export async function countActions(context: BrowserContext): Promise<Actions> {
  const actions: Actions = { clicks: 0, fields: 0, scrolledPixels: 0 }
  await context.exposeBinding('noteAction', (_source, kind: keyof Actions, by: number) => {
    actions[kind] += by
  })
  await context.addInitScript(() => {
    const note = (kind: string, by = 1) =>
      (window as unknown as { noteAction: (kind: string, by: number) => void }).noteAction(kind, by)
    document.addEventListener('mousedown', () => note('clicks'), true)
    const filled = new Set<EventTarget>()
    document.addEventListener(
      'input',
      ({ target }) => {
        const isBox = target instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(target.type)
        if (target === null || isBox || filled.has(target)) return
        filled.add(target)
        note('fields')
      },
      true,
    )
    let top = 0
    document.addEventListener('scroll', () => {
      if (window.scrollY > top) note('scrolledPixels', Math.round(window.scrollY - top))
      top = window.scrollY
    })
  })
  return actions
}
