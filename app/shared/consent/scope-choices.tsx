import { type ChangeEvent, useEffect, useRef } from 'react'
import type { ConsentLine } from './consent-view.ts'

interface ScopeChoicesProps {
  legend: string
  lines: readonly ConsentLine[]
}

/**
 * A box for each type, and below it one for each of its parts, and one for the rest where the app asked for all of it.
 * All are ticked at first. Plain boxes that the form sends as they stand; a script only keeps them in step.
 */
export function ScopeChoices({ legend, lines }: ScopeChoicesProps) {
  const ref = useRef<HTMLFieldSetElement>(null)

  // Also for boxes that were changed before the script ran, and for what the browser kept on the way back.
  useEffect(() => {
    const fieldset = ref.current
    if (!fieldset) return
    for (const group of fieldset.querySelectorAll('.scope')) showParent(group)
  }, [])

  const change = (event: ChangeEvent<HTMLFieldSetElement>) => {
    const box = event.target as unknown as HTMLInputElement
    const group = box.closest('.scope')
    if (!group) return
    const { parent, parts } = boxesOf(group)
    const rest = parts.find((part) => part.dataset.rest)
    if (box === parent) for (const part of parts) part.checked = parent.checked
    // All but one part cannot be granted as "all but": the rest goes with every part, or not at all.
    else if (box === rest && rest.checked) for (const part of parts) part.checked = true
    else if (rest && !box.checked) rest.checked = false
    if (parent && box !== parent) parent.checked = parts.some((part) => part.checked)
    showParent(group)
  }

  return (
    <fieldset className="scopes" ref={ref} onChange={change}>
      <legend className="sr">{legend}</legend>
      {lines.map(({ type, title, hint, picks }) => (
        <div className="scope" key={type}>
          <Box name="type" value={type} title={title} hint={hint} />
          {picks.length > 0 && (
            <fieldset className="parts">
              <legend className="sr">Parts of “{title}”</legend>
              {picks.map((pick) => (
                <Box key={pick.name} {...pick} name="pick" value={pick.name} />
              ))}
            </fieldset>
          )}
        </div>
      ))}
    </fieldset>
  )
}

interface BoxProps {
  name: string
  value: string
  title: string
  hint: string | null
  isRest?: boolean
}

function Box({ name, value, title, hint, isRest = false }: BoxProps) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value={value} defaultChecked data-rest={isRest || undefined} />
      <span>
        <span className="label">{title}</span>
        {hint && <span className="sub">{hint}</span>}
      </span>
    </label>
  )
}

function boxesOf(group: Element) {
  return {
    parent: group.querySelector<HTMLInputElement>('input[name="type"]'),
    parts: [...group.querySelectorAll<HTMLInputElement>('input[name="pick"]')],
  }
}

/** Some parts, not all: neither ticked nor empty to the eye. */
function showParent(group: Element): void {
  const { parent, parts } = boxesOf(group)
  if (parent && parts.length > 0) parent.indeterminate = parent.checked && parts.some((part) => !part.checked)
}
