/** Checks the text of an incident, here as well as in its forms, because emails carry it to people outside. */

import { Problem } from '../../contract/http/problems.ts'
import { type ComponentId, isComponentId } from '../../contract/status/components.ts'
import {
  type Affected,
  type AffectedState,
  affectedField,
  affectedStates,
  incidentReasonMax,
  incidentTextMax,
  incidentTitleMax,
  postMortemMax,
} from '../../contract/status/incidents.ts'
import { normalize } from '../../contract/text/normalize.ts'

const bounds = {
  title: [1, incidentTitleMax],
  text: [1, incidentTextMax],
  reason: [10, incidentReasonMax],
} as const

/** @throws Problem `validation` */
export function checkLine(field: keyof typeof bounds, given: string): string {
  const [least, most] = bounds[field]
  const text = normalize(given, 'NFC').trim()
  const { length } = [...text]
  if (length < least || length > most || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    throw wrong(field, `The ${field} must be one line of ${least} to ${most} characters.`)
  return text
}

/** @throws Problem `validation` */
export function checkMarkdown(field: string, given: string): string {
  const text = normalize(given, 'NFC').replaceAll('\r\n', '\n').trim()
  if (text === '' || [...text].length > postMortemMax || /[^\P{Cc}\n\t]/u.test(text))
    throw wrong(field, `Use 1 to ${postMortemMax} characters, and no control characters.`)
  return text
}

/** @throws Problem `validation` when nothing is affected, or something that is not there */
export function checkAffected(given: Affected): { component: ComponentId; state: AffectedState }[] {
  const rows = Object.entries(given)
  const known = rows.every(
    ([component, state]) => isComponentId(component) && (affectedStates as readonly string[]).includes(state),
  )
  if (rows.length === 0 || !known)
    throw wrong(affectedField('academy'), 'Enter the affected components and their states.')
  return rows.map(([component, state]) => ({ component: component as ComponentId, state }))
}

const wrong = (field: string, message: string) => new Problem('validation', { field, message })
