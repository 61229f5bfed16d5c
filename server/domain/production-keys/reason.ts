/** Checks reasons that are stored, shown to the other side and sent by email. */
import { Problem } from '../../contract/http/problems.ts'
import { type Author, checkText, isCleanText, leftOutReason } from '../text-scan/check-text.ts'

/** @throws Problem `validation` */
export function checkReason(text: string, author: Author, field = 'reason'): string {
  const words = checkLength(text, field)
  checkText(field, words, author)
  return words
}

/** A refused text must not delay a revocation, so it is replaced. @throws Problem `validation` for its length */
export function cleanReason(text: string): string {
  const words = checkLength(text, 'reason')
  return isCleanText(words) ? words : leftOutReason
}

function checkLength(text: string, field: string): string {
  const words = text.trim()
  if (words.length < 10 || words.length > 2_000)
    throw new Problem('validation', { field, message: 'Use 10 to 2,000 characters.' })
  return words
}
