/** The form as a row holds it. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { findNameFault, tidyName } from '../../contract/text/public-name.ts'
import { findSecret } from '../../contract/text/secret-patterns.ts'
import {
  type RegistrationField,
  type RegistrationForm,
  registrationFields,
  registrationForm,
  toText,
} from '../../contract/workflows/registration-form.ts'
import { type Author, checkTexts, findSecretText } from '../text-scan/check-text.ts'

/**
 * What was typed, tidied, and free of what must not be kept.
 * @param stored the form as it is stored: what is unchanged may stay, also a name older than the rule for names
 * @throws Problem `validation`, `text_warning` naming the field; nothing of what was typed is in it
 */
export function takeForm(typed: unknown, author: Author, stored?: RegistrationForm): RegistrationForm {
  const parsed = registrationForm.safeParse(typed)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Problem('validation', {
      field: String(issue?.path[0] ?? 'form'),
      message: issue?.message ?? '',
    })
  }
  checkFormTexts(parsed.data, author, stored)
  const name = parsed.data.name === stored?.name ? parsed.data.name : tidyName(parsed.data.name)
  const fault = name === '' || name === stored?.name ? null : findNameFault(name)
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

// What must not stand in a registration: looked for in every field before anything of it is stored.

/** A member of a private JWK with its value, also in JSON that does not parse. */
const privateJwkMember = /"(?:d|p|q|dp|dq|qi|k|oth)"\s*:\s*(?:"|\[)/

/** Why the field may not be stored, in words that repeat nothing of it; null when it may. */
export function findFormSecret(field: RegistrationField, text: string): string | null {
  // Hex of the picture's own hash.
  if (field === 'logo') return null
  const found = findSecretText(text)
  if (found) return found.message
  if (privateJwkMember.test(text))
    return 'This key set contains a private key. Remove it, and replace that key because it is no longer secret.'
  return findSecret(text) === null ? null : 'Remove keys, tokens and key prefixes.'
}

/** Fields with a grammar of their own, and public keys: labels and values side by side are their form. */
const unwarned: readonly RegistrationField[] = ['logo', 'jwks', 'scope']

/**
 * @param stored the form as it is stored: what is unchanged was looked at when it was typed
 * @throws Problem `validation` or `text_warning` naming the first field with something in it that must not be kept
 */
function checkFormTexts(form: RegistrationForm, author: Author, stored?: RegistrationForm): void {
  for (const field of registrationFields) {
    const message = findFormSecret(field, toText(form[field]))
    if (message !== null) throw new Problem('validation', { field, message, detail: `secret scan: ${field}` })
  }
  const fields = registrationFields.filter((field) => !unwarned.includes(field))
  checkTexts(textsOf(form, fields), author, stored && textsOf(stored, fields))
}

function textsOf(form: RegistrationForm, fields: readonly RegistrationField[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, toText(form[field])]))
}
