/** The form as a row holds it. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { findNameFault, tidyName } from '../../contract/text/public-name.ts'
import { type RegistrationForm, registrationForm } from '../../contract/workflows/registration-form.ts'
import type { Author } from '../text-scan/check-text.ts'
import { checkFormTexts } from './form-secrets.ts'

/**
 * What was typed, tidied, and free of what must not be kept.
 * @param kept the form as it is stored: what is unchanged may stay, also a name older than the rule for names
 * @throws Problem `validation`, `text_warning` naming the field; nothing of what was typed is in it
 */
export function takeForm(typed: unknown, author: Author, kept?: RegistrationForm): RegistrationForm {
  const parsed = registrationForm.safeParse(typed)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Problem('validation', {
      field: String(issue?.path[0] ?? 'form'),
      message: issue?.message ?? '',
    })
  }
  checkFormTexts(parsed.data, author, kept)
  const name = parsed.data.name === kept?.name ? parsed.data.name : tidyName(parsed.data.name)
  const fault = name === '' || name === kept?.name ? null : findNameFault(name)
  if (fault) throw new Problem('validation', { field: 'name', message: fault })
  return { ...parsed.data, name }
}

/** Rows were written by `takeForm`; a field that came later has its default. */
export function readForm(stored: Prisma.JsonValue): RegistrationForm {
  return registrationForm.parse(stored)
}

export function toStored(form: RegistrationForm): Prisma.InputJsonObject {
  return { ...form, redirectUris: [...form.redirectUris] }
}
