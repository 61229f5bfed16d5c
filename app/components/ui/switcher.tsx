import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { keepLanguage, languageOf } from '../../lib/remembered-language.ts'
import { useRoot } from '../../lib/root-data.ts'

interface SwitcherProps {
  /** Names the choice for people who cannot see it. */
  label: string
  /** Of a language of code, the name under which every switcher knows the pane. */
  panes: readonly { label: string; choice?: string; content: ReactNode }[]
  /** The panes are languages of code: the one read last is in view, and all such switchers follow a choice. */
  languages?: true
}

/** Views of one thing beside each other, one in view. Radio buttons and a style sheet: it needs no script. */
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

/** The language of code, which every switcher of languages follows, on this page and on the next. */
const changed = 'sandpiper:choice'

/** Follows each new choice on the page, and one that was made on another since the server rendered this one. */
function useRememberedChoice(isRemembered: boolean, choices: RefObject<HTMLElement | null>): void {
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

function rememberChoice(language: string): void {
  keepLanguage(language)
  window.dispatchEvent(new Event(changed))
}
