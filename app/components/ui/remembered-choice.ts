/** A choice that every switcher of its kind follows, on this page and on the next. It is kept in the browser alone. */
import { type RefObject, useEffect } from 'react'

const changed = 'sandpiper:choice'

/** Shows the earlier choice, and follows each new one on the page. */
export function useRememberedChoice(kind: string | undefined, choices: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (kind === undefined) return
    const show = () => {
      const chosen = read(kind)
      for (const input of choices.current?.querySelectorAll('input') ?? [])
        if (input.dataset.choice === chosen) input.checked = true
    }
    show()
    window.addEventListener(changed, show)
    return () => window.removeEventListener(changed, show)
  }, [kind, choices])
}

export function rememberChoice(kind: string, choice: string): void {
  try {
    localStorage.setItem(keyOf(kind), choice)
  } catch {
    return // a browser that keeps nothing
  }
  window.dispatchEvent(new Event(changed))
}

function read(kind: string): string | null {
  try {
    return localStorage.getItem(keyOf(kind))
  } catch {
    return null
  }
}

const keyOf = (kind: string) => `sandpiper-${kind}`
