/**
 * What every text that other people read passes before it is stored: a secret of a known shape is refused; what only
 * looks like a secret or a patient's details is a warning, which its author may override with a reason.
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
 * The texts of one form, by field. Called before anything is written, so that the audit row of the act holds the reason.
 * @param stored by field, what the form held before: a text that stays was looked at when it was typed
 * @throws Problem `validation` for a secret, `text_warning` for the first field whose warning the author has not
 *   overridden, or has without a usable reason; neither repeats the text
 */
export function checkTexts(
  texts: Readonly<Record<string, string>>,
  author: Author,
  stored: Readonly<Record<string, string>> = {},
): void {
  for (const [field, text] of Object.entries(texts)) assertNoSecret(field, text)
  for (const [field, text] of Object.entries(texts)) {
    const seen = stored[field] === text ? null : findTextWarning(text)
    if (seen !== null) requireOverride(field, seen, author)
  }
}

export const checkText = (field: string, text: string, author: Author): void =>
  checkTexts({ [field]: text }, author)

const reasonText = stepText({ min: 10, max: 500 })

/** @returns a practice's reason as it is stored. @throws Problem `validation`, `text_warning` */
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
  return Object.fromEntries(entries.filter((each): each is [string, string] => typeof each[1] === 'string'))
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
 * A text that is kept only when nothing is seen in it, for what must not wait for better words: an email that was
 * received, the reason of a revocation.
 */
export const isCleanText = (text: string): boolean =>
  findSecretText(text) === null && findSecret(text) === null && findTextWarning(text) === null

/** In place of a reason that was not clean. */
export const leftOutReason = 'The reason was removed because it contained a secret or a patient’s details.'

// Secrets known by their own shape: refused before anything is stored, whatever the author says. The answer names the
// kind and never repeats the text. What only its label gives away is a warning: `server/contract/text/text-warnings.ts`.

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

/** The first finding, as a kind and a sentence for the person who typed it; null when the text is clean. */
export function findSecretText(text: string): { finding: SecretKind; message: string } | null {
  const hit = patterns.find(([, pattern]) => pattern.test(text))
  return hit ? { finding: hit[0], message: sentences[hit[0]] } : null
}

/** @throws Problem `validation` for a text with something in it that must not be kept, nor mailed */
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
