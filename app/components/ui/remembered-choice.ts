/** The language of code, which every switcher of languages follows, on this page and on the next. */
import { type RefObject, useEffect } from 'react'
import { keepLanguage, languageOf } from '../../lib/remembered-language.ts'

const changed = 'sandpiper:choice'

/** Follows each new choice on the page, and one that was made on another since the server rendered this one. */
export function useRememberedChoice(isRemembered: boolean, choices: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isRemembered) return
    const show = () => {
      const chosen = languageOf(document.cookie)
      for (const input of choices.current?.querySelectorAll('input') ?? [])
        if (input.dataset.choice === chosen) input.checked = true
    }
    show()
    window.addEventListener(changed, show)
    return () => window.removeEventListener(changed, show)
  }, [isRemembered, choices])
}

export function rememberChoice(language: string): void {
  keepLanguage(language)
  window.dispatchEvent(new Event(changed))
}
