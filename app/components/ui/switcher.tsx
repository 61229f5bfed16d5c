import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { keepLanguage, languageOf } from '../../lib/remembered-language.ts'
import { useRoot } from '../../lib/root-data.ts'

interface SwitcherProps {
  /** The choice's name for screen readers. */
  label: string
  /** `choice` is a pane's programming language, named the same in every switcher. */
  panes: readonly { label: string; choice?: string; content: ReactNode }[]
  /** The panes are programming languages. All such switchers show the one chosen last. */
  languages?: true
}

/** Shows one of several panes. Radio buttons and a style sheet switch them, so it needs no script. */
export function Switcher({ label, panes, languages }: SwitcherProps) {
  const name = useId()
  const choices = useRef<HTMLFieldSetElement>(null)
  useRememberedChoice(languages === true, choices)
  const { language } = useRoot()
  const remembered = languages
    ? panes.findIndex(({ choice }) => choice !== undefined && choice === language)
    : -1
  return (
    <div className="switcher">
      <fieldset className="switches" ref={choices}>
        <legend className="sr">{label}</legend>
        {panes.map((pane, place) => (
          <label key={pane.label}>
            <input
              type="radio"
              name={name}
              value={place}
              defaultChecked={place === Math.max(remembered, 0)}
              data-choice={pane.choice}
              onChange={() => languages && pane.choice && rememberChoice(pane.choice)}
            />
            {pane.label}
          </label>
        ))}
      </fieldset>
      {panes.map((pane, place) => (
        <div key={pane.label} className={`pane pane-${place}`}>
          {pane.content}
        </div>
      ))}
    </div>
  )
}

/** The event of a chosen language, which the page's other switchers follow. */
const choiceEvent = 'sandpiper:choice'

/** Shows the chosen language. It reads the cookie first: another page may have set it after this one was rendered. */
function useRememberedChoice(isRemembered: boolean, choices: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isRemembered) return
    const show = () => {
      const chosen = languageOf(document.cookie)
      for (const input of choices.current?.querySelectorAll('input') ?? [])
        if (input.dataset.choice === chosen) input.checked = true
    }
    show()
    window.addEventListener(choiceEvent, show)
    return () => window.removeEventListener(choiceEvent, show)
  }, [isRemembered, choices])
}

function rememberChoice(language: string): void {
  keepLanguage(language)
  window.dispatchEvent(new Event(choiceEvent))
}
