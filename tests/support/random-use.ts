/** What people might do in any order: forms of the portal's pages, filled with values that their fields allow. */
import type { Page } from '@playwright/test'

/** What was sent, for the report of a failure. */
export type Sent = Readonly<{ path: string; action: string; intent: string; status: number }>

/** Numbers below 1, the same again for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Sends one form of a page as a browser without scripts would, chosen and filled by `seed`.
 * @returns null when the page has no form that changes something
 */
export async function sendRandomForm(page: Page, path: string, seed: number): Promise<Sent | null> {
  return page.evaluate(
    async ({ path, seed }) => {
      let state = seed >>> 0
      const random = () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state / 2 ** 32
      }
      const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]
      const answer = await fetch(path)
      if (answer.status === 429) {
        const seconds = Number(answer.headers.get('retry-after') ?? 1)
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
        return null
      }
      const whole = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const main = answer.ok ? whole.querySelector('main') : null
      const forms = [...(main?.querySelectorAll<HTMLFormElement>('form[method=post]') ?? [])]
      const form = oneOf(forms)
      if (!form) return null

      const sent = new URLSearchParams()
      const groups = new Map<string, HTMLInputElement[]>()
      for (const field of form.elements) {
        if (field instanceof HTMLSelectElement)
          sent.append(field.name, oneOf([...field.options])?.value ?? '')
        else if (field instanceof HTMLTextAreaElement)
          sent.append(field.name, field.value || 'Written by chance, to see what follows.')
        else if (field instanceof HTMLInputElement && field.name && !field.disabled) {
          if (field.type === 'radio') groups.set(field.name, [...(groups.get(field.name) ?? []), field])
          else if (field.type === 'checkbox') {
            if (field.required || random() < 0.6) sent.append(field.name, field.value)
          } else if (field.type !== 'file') sent.append(field.name, field.value || valueFor(field))
        }
      }
      for (const [name, fields] of groups) sent.append(name, oneOf(fields)?.value ?? '')
      const submit = oneOf(
        [...form.elements].filter((each) => each instanceof HTMLButtonElement && each.type === 'submit'),
      ) as HTMLButtonElement | undefined
      if (submit?.name) sent.append(submit.name, submit.value)

      const action = form.getAttribute('action') || path
      const { status } = await fetch(action, { method: 'POST', body: sent })
      const intent = sent.get('intent') ?? submit?.textContent?.trim() ?? ''
      return { path, action, intent, status }

      function valueFor({ type, min, name }: HTMLInputElement): string {
        if (type === 'number') return String(Number(min || 1) + Math.floor(random() * 5))
        if (type === 'email') return `chance-${Math.floor(random() * 1e6)}@larkfield.example`
        if (type === 'url') return 'https://larkfield.example/by-chance'
        const day = new Date(Date.now() + Math.floor(random() * 20) * 86_400_000).toISOString()
        if (type === 'date') return day.slice(0, 10)
        if (type === 'datetime-local') return day.slice(0, 16)
        return `${name} by chance`
      }
    },
    { path, seed },
  )
}
