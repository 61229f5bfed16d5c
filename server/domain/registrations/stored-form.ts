/** The form of a registration, as it is stored. */
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
 * Parses and tidies a submitted form, and refuses secrets and patient data in it.
 * @param stored the form as stored: an unchanged value may stay, even a name that today's rule would refuse
 * @throws Problem `validation`, `text_warning` naming the field; its message repeats nothing that was typed
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

/** A field that was added after the row was written has its default. */
export function readForm(stored: Prisma.JsonValue): RegistrationForm {
  return registrationForm.parse(stored)
}

export function toStored(form: RegistrationForm): Prisma.InputJsonObject {
  return { ...form, redirectUris: [...form.redirectUris] }
}

// Every field is searched for secrets before anything is stored.

/** A member of a private JWK with its value, also in JSON that does not parse. */
const privateJwkMember = /"(?:d|p|q|dp|dq|qi|k|oth)"\s*:\s*(?:"|\[)/

/** Why the field may not be stored, in a message that repeats nothing of it; null if it may. */
export function findFormSecret(field: RegistrationField, text: string): string | null {
  // The logo's field is only the hash of the image.
  if (field === 'logo') return null
  const found = findSecretText(text)
  if (found) return found.message
  if (privateJwkMember.test(text))
    return 'This key set contains a private key. Remove it, and replace that key because it is no longer secret.'
  return findSecret(text) === null ? null : 'Remove keys, tokens and key prefixes.'
}

/** Fields whose syntax looks like labelled data, so that the warnings would be wrong. */
const unwarned: readonly RegistrationField[] = ['logo', 'jwks', 'scope']

/**
 * @param stored the form as stored: an unchanged value was checked when it was typed
 * @throws Problem `validation` or `text_warning` naming the first field that contains a secret or patient data
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
