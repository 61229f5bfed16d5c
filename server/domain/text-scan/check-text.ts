/**
 * Checks every text that other people read, before it is stored. A secret of a known format is refused. Text that only
 * looks like a secret or patient data causes a warning, which its author may override with a reason.
 */
import { stepText } from '../../contract/forms/step-forms.ts'
import { Problem } from '../../contract/http/problems.ts'
import { findSecret } from '../../contract/text/secret-patterns.ts'
import {
  findTextWarning,
  keptTextForm,
  type TextWarning,
  textWarnings,
} from '../../contract/text/text-warnings.ts'
import type { Actor } from '../actor.ts'

export type Author = Pick<Actor, 'textReview'>

/**
 * Checks the texts of a form, by field. It is called before anything is written, so that the audit row has the reason.
 * @param stored the stored texts, by field: an unchanged text was checked when it was typed
 * @throws Problem `validation` for a secret, `text_warning` for the first field whose warning the author has not
 *   overridden with a usable reason; the message does not repeat the text
 */
export function checkTexts(
  texts: Readonly<Record<string, string>>,
  author: Author,
  stored: Readonly<Record<string, string>> = {},
): void {
  for (const [field, text] of Object.entries(texts)) assertNoSecret(field, text)
  for (const [field, text] of Object.entries(texts)) {
    const warning = stored[field] === text ? null : findTextWarning(text)
    if (warning !== null) requireOverride(field, warning, author)
  }
}

export const checkText = (field: string, text: string, author: Author): void =>
  checkTexts({ [field]: text }, author)

const reasonText = stepText({ min: 10, max: 500 })

/** @returns a practice's reason, tidied. @throws Problem `validation`, `text_warning` */
export function checkReason(text: string, author: Author): string {
  const { data } = reasonText.safeParse(text)
  if (data === undefined)
    throw new Problem('validation', { field: 'reason', message: 'Use 10 to 500 characters.' })
  checkText('reason', data, author)
  return data
}

/** The fields of a parsed form that are text. */
export function textsOf(fields: unknown): Record<string, string> {
  const entries = Object.entries(fields ?? {})
  return Object.fromEntries(entries.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

function requireOverride(field: string, seen: TextWarning, { textReview }: Author): void {
  const typed = textReview?.kept
  const wasSeen = typed?.keepText.includes(field) ?? false
  const review = keptTextForm.safeParse(typed)
  const holdsSecret =
    review.success && (findSecretText(review.data.keepReason) ?? findSecret(review.data.keepReason))
  if (textReview && wasSeen && review.success && !holdsSecret) {
    textReview.overridden.set(field, seen)
    textReview.reason = review.data.keepReason
    return
  }
  const reasonFault = holdsSecret
    ? 'Remove secrets from the reason.'
    : review.error?.issues.find(({ path }) => path[0] === 'keepReason')?.message
  if (textReview) textReview.warned = { field, seen, ...(wasSeen && reasonFault ? { reasonFault } : {}) }
  throw new Problem('text_warning', {
    field,
    message: textWarnings[seen].message,
    detail: `text warning: ${seen}`,
  })
}

/**
 * Whether a text has neither a secret nor a warning. It is for texts that can't be sent back to their author, such as a
 * received email or the reason of an urgent revocation.
 */
export const isCleanText = (text: string): boolean =>
  findSecretText(text) === null && findSecret(text) === null && findTextWarning(text) === null

/** Stored instead of a reason that was not clean. */
export const leftOutReason = 'The reason was removed because it contained a secret or a patient’s details.'

// Secrets with a known format are always refused. The message names the kind and never repeats the text. Secrets that
// only a label reveals cause a warning: `server/contract/text/text-warnings.ts`.

type SecretKind = 'private_key' | 'api_key' | 'token' | 'social_security_number'

const patterns: readonly (readonly [SecretKind, RegExp])[] = [
  ['private_key', /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----/],
  ['api_key', /\b(svc_[tl][0-9A-Za-z]{20,}|[sr]k_(live|test)_[0-9A-Za-z]{16,}|AKIA[0-9A-Z]{16})\b/],
  ['token', /\.(?<=\beyJ[\w-]{8,}\.)[\w-]{8,}\.[\w-]{8,}/],
  ['social_security_number', /\b(SSN|social security( number)?)\b\W{0,3}\d{3}[ -]?\d{2}[ -]?\d{4}\b/i],
  ['social_security_number', /\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/],
]

const sentences: Record<SecretKind, string> = {
  private_key:
    'This text contains a private key. Remove it, and replace that key because it is no longer secret.',
  api_key: 'This text contains an API key. Remove it, and revoke that key because it is no longer secret.',
  token: 'This text contains a token. Remove it.',
  social_security_number:
    'This text seems to contain a social security number. Describe the project without personal data.',
}

/** The first finding, with a message for the author; null if there is none. */
export function findSecretText(text: string): { finding: SecretKind; message: string } | null {
  const hit = patterns.find(([, pattern]) => pattern.test(text))
  return hit ? { finding: hit[0], message: sentences[hit[0]] } : null
}

/** @throws Problem `validation` if the text contains a secret */
function assertNoSecret(field: string, text: string): void {
  const found = findSecretText(text)
  if (found)
    throw new Problem('validation', {
      message: found.message,
      field,
      detail: `secret scan: ${found.finding}`,
    })
  if (findSecret(text) !== null)
    throw new Problem('validation', { message: 'Remove keys and key prefixes.', field })
}
