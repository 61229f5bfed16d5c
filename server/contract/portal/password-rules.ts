/**
 * What a password must be: long, and not one that is tried first. No rules about kinds of characters.
 * https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver
 */
import { normalize } from '../text/normalize.ts'
import common from './common-passwords.json' with { type: 'json' }

export const passwordLength = { min: 12, max: 128 } as const

/**
 * The commonest passwords of twelve characters and more, and the stems from which people stretch short ones
 * (compared without case and without digits and marks at the end).
 */
const commonest: ReadonlySet<string> = new Set(common.commonest)
const stems: ReadonlySet<string> = new Set(common.stems)

/** The form in which passwords are compared and hashed, so that every keyboard gives the same one. */
export const normalizePassword = (password: string): string => normalize(password, 'NFKC')

/**
 * The reason to show when a password is refused; null if it is accepted.
 * @param email the account's address, when it is known
 */
export function findPasswordFault(password: string, email?: string): string | null {
  const text = normalizePassword(password)
  const characters = [...text].length
  if (characters < passwordLength.min)
    return `Use at least ${passwordLength.min} characters. A few random words work well.`
  if (characters > passwordLength.max) return `Use at most ${passwordLength.max} characters.`
  const lower = text.toLowerCase()
  const stem = lower.replace(/[\p{N}\p{P}\p{S}\s]+$/u, '')
  if (commonest.has(lower) || commonest.has(stem) || stems.has(stem)) {
    return 'This password is too common. Choose another.'
  }
  if (isRun(lower)) return 'This password is a repetition or a sequence. Choose one that is harder to guess.'
  if (email && (lower === email || lower === email.slice(0, email.lastIndexOf('@')))) {
    return 'Your password can’t be your email address.'
  }
  return null
}

/** One or two characters over and over, a short piece repeated, or counting up or down. */
function isRun(text: string): boolean {
  if (new Set(text).size <= 2) return true
  if (/^(.{1,4})\1+$/u.test(text)) return true
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  return steps.every((step) => step === 1 || step === -9) || steps.every((step) => step === -1 || step === 9)
}
