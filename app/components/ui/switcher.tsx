import { type ReactNode, useId } from 'react'

interface SwitcherProps {
  /** Names the choice for people who cannot see it. */
  label: string
  panes: readonly { label: string; content: ReactNode }[]
}

/** Views of one thing beside each other, one in view. Radio buttons and a style sheet: it needs no script. */
export function Switcher({ label, panes }: SwitcherProps) {
  const name = useId()
  return (
    <div className="switcher">
      <fieldset className="switches">
        <legend className="sr-only">{label}</legend>
        {panes.map((pane, place) => (
          <label key={pane.label}>
            <input type="radio" name={name} value={place} defaultChecked={place === 0} />
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
