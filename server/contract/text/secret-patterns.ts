/**
 * What reads like a secret, in a text that goes to a person: a mail that holds one never leaves. Looked for from its
 * first dot: from each `eyJ`, a text of them alone would be read as often as it has them.
 */
const patterns = [
  ['an API key', /svc_[tl][0-9A-Za-z]{7,}/],
  ['a token or secret of an app', /sp[acrls]_[A-Za-z0-9_-]{20,}/],
  ['a signed token', /\.(?<=eyJ[A-Za-z0-9_-]{5,}\.)[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}/],
  ['a private key', /-----BEGIN [A-Z0-9 ]+-----/],
] as const

/** What the text holds, as words; null when it holds nothing of the kind. */
export const findSecret = (text: string): (typeof patterns)[number][0] | null =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null
