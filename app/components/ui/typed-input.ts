/** What people typed into a form, to be kept in their tab and put back. */

/** Never kept: what is secret, what only the server may say, and what a script cannot put back. */
const unkept = new Set(['password', 'hidden', 'file', 'submit', 'button'])

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Typed = Record<string, (string | boolean)[]>

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (each): each is Control =>
      (each instanceof HTMLInputElement ||
        each instanceof HTMLTextAreaElement ||
        each instanceof HTMLSelectElement) &&
      each.name !== '' &&
      !unkept.has(each.type),
  )
}

const isTicked = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'

/** Values by field, in the order of the form; of boxes and choices whether they are ticked. */
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
