/**
 * The opaque values of the authorization server: 256 random bits in base64url behind a prefix that says what
 * they are, so that a secret scanner, and our own log, can recognise one wherever it turns up.
 */
export const tokenPrefixes = {
  access_token: 'spa_',
  refresh_token: 'spr_',
  code: 'spc_',
  launch: 'spl_',
  client_secret: 'sps_',
} as const

export type TokenKind = keyof typeof tokenPrefixes

/** Prefix and 43 characters. */
const tokenLength = 47

const body = /^[A-Za-z0-9_-]{43}$/

/** Whether a text has the form of such a value; what has not is never looked up. */
export const isToken = (kind: TokenKind, text: string): boolean =>
  text.length === tokenLength && text.startsWith(tokenPrefixes[kind]) && body.test(text.slice(4))
