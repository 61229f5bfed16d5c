/**
 * The last look at a mail before it leaves: nothing that reads like an API key, a signed token or a private key
 * may be in it. That would be a fault of ours, so it is an error, not a refusal.
 */
const patterns = [
  ['an API key', /svc_[tl][0-9A-Za-z]{7,}/],
  ['a signed token', /eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}/],
  ['a private key', /-----BEGIN [A-Z0-9 ]+-----/],
] as const

export class SecretInMailError extends Error {
  override name = 'SecretInMailError'
}

/**
 * @param parts everything that would leave: subject, HTML, text, headers
 * @throws SecretInMailError naming what was found, never quoting it
 */
export function checkNoSecret(parts: readonly string[]): void {
  for (const [what, pattern] of patterns) {
    if (parts.some((part) => pattern.test(part))) throw new SecretInMailError(`the mail holds ${what}`)
  }
}
