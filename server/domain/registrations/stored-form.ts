/** The form as a row holds it. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/problems.ts'
import { findNameFault, tidyName } from '../../contract/public-name.ts'
import { type RegistrationForm, registrationForm } from '../../contract/registration-form.ts'
import { assertNoFormSecrets } from './form-secrets.ts'

/**
 * What was typed, tidied, and free of what must not be kept.
 * @param keptName stored before the rule for names was made: it may stay, and may not be taken anew
 * @throws Problem `validation` naming the field; nothing of what was typed is in it
 */
export function takeForm(typed: unknown, keptName?: string): RegistrationForm {
  const parsed = registrationForm.safeParse(typed)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Problem('validation', {
      field: String(issue?.path[0] ?? 'form'),
      message: issue?.message ?? '',
    })
  }
  assertNoFormSecrets(parsed.data)
  const name = parsed.data.name === keptName ? parsed.data.name : tidyName(parsed.data.name)
  const fault = name === '' || name === keptName ? null : findNameFault(name)
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
