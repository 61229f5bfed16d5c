/** Words that are kept, shown to the other side and mailed. */
import { Problem } from '../../contract/problems.ts'
import { assertNoSecret } from '../text-scan/secret-scan.ts'

/** @throws Problem `validation` */
export function checkReason(text: string, field = 'reason'): string {
  const words = text.trim()
  if (words.length < 10 || words.length > 2_000)
    throw new Problem('validation', { field, message: 'Use 10 to 2,000 characters.' })
  assertNoSecret(field, words)
  return words
}
