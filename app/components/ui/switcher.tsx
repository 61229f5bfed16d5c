import { type ReactNode, useId, useRef } from 'react'
import { rememberChoice, useRememberedChoice } from './remembered-choice.ts'

interface SwitcherProps {
  /** Names the choice for people who cannot see it. */
  label: string
  /** Of a remembered choice, the name under which every switcher knows the pane. */
  panes: readonly { label: string; choice?: string; content: ReactNode }[]
  /** The kind of choice, which all switchers of this kind follow once a script runs. */
  remember?: string
}

/** Views of one thing beside each other, one in view. Radio buttons and a style sheet: it needs no script. */
export function Switcher({ label, panes, remember }: SwitcherProps) {
  const name = useId()
  const choices = useRef<HTMLFieldSetElement>(null)
  useRememberedChoice(remember, choices)
  return (
    <div className="switcher">
      <fieldset className="switches" ref={choices}>
        <legend className="sr-only">{label}</legend>
        {panes.map((pane, place) => (
          <label key={pane.label}>
            <input
              type="radio"
              name={name}
              value={place}
              defaultChecked={place === 0}
              data-choice={pane.choice}
              onChange={() => remember && pane.choice && rememberChoice(remember, pane.choice)}
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
