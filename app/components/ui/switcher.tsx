import { type ReactNode, useId, useRef } from 'react'
import { useRoot } from '../../lib/root-data.ts'
import { rememberChoice, useRememberedChoice } from './remembered-choice.ts'

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
