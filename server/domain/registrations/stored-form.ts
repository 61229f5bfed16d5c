/** The form as a row holds it. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/problems.ts'
import { type RegistrationForm, registrationForm } from '../../contract/registration-form.ts'
import { refuseFormSecrets } from './form-tripwire.ts'

/**
 * What was typed, tidied, and free of what must not be kept.
 * @throws Problem `validation` naming the field; nothing of what was typed is in it
 */
export function takeForm(typed: unknown): RegistrationForm {
  const parsed = registrationForm.safeParse(typed)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Problem('validation', {
      field: String(issue?.path[0] ?? 'form'),
      message: issue?.message ?? '',
    })
  }
  refuseFormSecrets(parsed.data)
  return parsed.data
}

/** Rows were written by `takeForm`; a field that came later has its default. */
export function readForm(stored: Prisma.JsonValue): RegistrationForm {
  return registrationForm.parse(stored)
}

export function toStored(form: RegistrationForm): Prisma.InputJsonObject {
  return { ...form, redirectUris: [...form.redirectUris] }
}
