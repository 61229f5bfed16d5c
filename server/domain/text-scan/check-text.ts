/**
 * What every text that other people read passes before it is stored: a secret of a known shape is refused; what only
 * looks like a secret or a patient's details is a warning, which its author may override with a reason.
 */
import { Problem } from '../../contract/http/problems.ts'
import { findSecret } from '../../contract/text/secret-patterns.ts'
import {
  findTextWarning,
  keptTextForm,
  type TextWarning,
  textWarnings,
} from '../../contract/text/text-warnings.ts'
import type { Actor } from '../actor.ts'
import { assertNoSecret, findSecretText } from './secret-scan.ts'

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

/** The fields of a parsed form that are text. */
export function textsOf(fields: unknown): Record<string, string> {
  const entries = Object.entries(fields ?? {})
  return Object.fromEntries(entries.filter((each): each is [string, string] => typeof each[1] === 'string'))
}

function requireOverride(field: string, seen: TextWarning, { textReview }: Author): void {
  const typed = textReview?.kept
  const wasSeen = typed?.keepText.includes(field) ?? false
  const kept = keptTextForm.safeParse(typed)
  const holdsSecret =
    kept.success && (findSecretText(kept.data.keepReason) ?? findSecret(kept.data.keepReason))
  if (textReview && wasSeen && kept.success && !holdsSecret) {
    textReview.overridden.set(field, seen)
    textReview.reason = kept.data.keepReason
    return
  }
  const reasonFault = holdsSecret
    ? 'Remove secrets from the reason.'
    : kept.error?.issues.find(({ path }) => path[0] === 'keepReason')?.message
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
export function isCleanText(text: string): boolean {
  return findSecretText(text) === null && findSecret(text) === null && findTextWarning(text) === null
}

/** In place of a reason that was not clean. */
export const leftOutReason = 'The reason was removed because it contained a secret or a patient’s details.'
