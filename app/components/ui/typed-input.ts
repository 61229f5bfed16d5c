/** Reads what people typed into a form, so that their tab can store it, and puts it back. */

/** Types that are never stored: secrets, values that only the server sets, and what a script can't put back. */
const unstoredTypes = new Set(['password', 'hidden', 'file', 'submit', 'button'])

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Typed = Record<string, (string | boolean)[]>

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (control): control is Control =>
      (control instanceof HTMLInputElement ||
        control instanceof HTMLTextAreaElement ||
        control instanceof HTMLSelectElement) &&
      control.name !== '' &&
      !unstoredTypes.has(control.type),
  )
}

const isTicked = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'

/** Values by field, in the form's order. For checkboxes and radio buttons: whether they are ticked. */
export function typedIn(form: HTMLFormElement): Typed {
  const typed: Typed = {}
  for (const control of controlsOf(form)) {
    const value = isTicked(control) ? control.checked : control.value
    typed[control.name] = [...(typed[control.name] ?? []), value]
  }
  return typed
}

/** Whether a control has another value than the server sent, such as input typed before the page’s script ran. */
export function isTypedIn(form: HTMLFormElement): boolean {
  return controlsOf(form).some((control) => {
    if (control instanceof HTMLSelectElement) return false
    return isTicked(control)
      ? control.checked !== control.defaultChecked
      : control.value !== control.defaultValue
  })
}

/** @returns whether anything in the form is different now */
export function putBack(form: HTMLFormElement, stored: string | null): boolean {
  if (stored === null) return false
  const typed = JSON.parse(stored) as Typed
  let changed = false
  for (const control of controlsOf(form)) {
    const value = typed[control.name]?.shift()
    if (value === undefined) continue
    if (isTicked(control) && typeof value === 'boolean' && control.checked !== value) {
      control.checked = value
      changed = true
    } else if (!isTicked(control) && typeof value === 'string' && control.value !== value) {
      control.value = value
      changed = true
    }
  }
  return changed
}
