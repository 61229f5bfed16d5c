/** What must not stand in a registration: looked for in every field before anything of it is stored. */
import { Problem } from '../../contract/http/problems.ts'
import { findSecret } from '../../contract/text/secret-patterns.ts'
import {
  type RegistrationField,
  type RegistrationForm,
  registrationFields,
  toText,
} from '../../contract/workflows/registration-form.ts'
import { type Author, checkTexts } from '../text-scan/check-text.ts'
import { findSecretText } from '../text-scan/secret-scan.ts'

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
 * @param kept the form as it is stored: what is unchanged was looked at when it was typed
 * @throws Problem `validation` or `text_warning` naming the first field with something in it that must not be kept
 */
export function checkFormTexts(form: RegistrationForm, author: Author, kept?: RegistrationForm): void {
  for (const field of registrationFields) {
    const message = findFormSecret(field, toText(form[field]))
    if (message !== null) throw new Problem('validation', { field, message, detail: `secret scan: ${field}` })
  }
  const fields = registrationFields.filter((field) => !unwarned.includes(field))
  checkTexts(textsOf(form, fields), author, kept && textsOf(kept, fields))
}

function textsOf(form: RegistrationForm, fields: readonly RegistrationField[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, toText(form[field])]))
}
