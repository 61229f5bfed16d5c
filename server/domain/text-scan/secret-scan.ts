/**
 * Secrets known by their own shape: refused before anything is stored, whatever the author says. The answer names the
 * kind and never repeats the text. What only its label gives away is a warning: `server/contract/text/text-warnings.ts`.
 */
import { Problem } from '../../contract/http/problems.ts'
import { findSecret } from '../../contract/text/secret-patterns.ts'

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
export function assertNoSecret(field: string, text: string): void {
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
