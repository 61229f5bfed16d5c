/** How many clicks a journey takes, and how many fields are filled in: for the note about how short the way is. */
import type { BrowserContext } from '@playwright/test'

export type Actions = { clicks: number; fields: number }

/** Counts what a hand does in every page of the browser from now on. */
export async function countActions(context: BrowserContext): Promise<Actions> {
  const actions: Actions = { clicks: 0, fields: 0 }
  await context.exposeBinding('noteAction', (_source, kind: keyof Actions) => {
    actions[kind] += 1
  })
  await context.addInitScript(() => {
    const note = (kind: string) =>
      (window as unknown as { noteAction: (kind: string) => void }).noteAction(kind)
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
  })
  return actions
}
