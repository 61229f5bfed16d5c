/**
 * The last look at a mail before it leaves: nothing that reads like an API key, a signed token or a private key
 * may be in it. That would be a fault of ours, so it is an error, not a refusal.
 */
import { findSecret } from '../contract/text/secret-patterns.ts'

class SecretInMailError extends Error {
  override name = 'SecretInMailError'
}

/**
 * @param parts everything that would leave: subject, HTML, text, headers
 * @throws SecretInMailError naming what was found, never quoting it
 */
export function checkNoSecret(parts: readonly string[]): void {
  for (const part of parts) {
    const what = findSecret(part)
    if (what !== null) throw new SecretInMailError(`the mail holds ${what}`)
  }
}
