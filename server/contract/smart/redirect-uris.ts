/**
 * Which redirect URIs an app may register. Shared with the browser, so that a form says the same while a person types.
 * https://www.rfc-editor.org/rfc/rfc9700#section-2.1 and https://www.rfc-editor.org/rfc/rfc8252#section-7
 */

const charactersMax = 1_000
/** What runs code or opens a local file in the browser that follows it. */
const dangerousSchemes = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'filesystem:',
  'about:',
])

/** Why a redirect URI can't be registered, as a sentence; null when it can. */
export function findRedirectUriFault(text: string): string | null {
  if (text.length > charactersMax) return 'A redirect URI has at most 1,000 characters.'
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && dangerousSchemes.has(url.protocol))
    return `A redirect URI can’t begin with ${url.protocol} because a browser would run or open what follows.`
  if (text.includes('*'))
    return 'A redirect URI can’t have a wildcard because it is compared character by character. List each one.'
  if (!url || /[\s<>"\\^`{|}]/.test(text))
    return 'A redirect URI must be a complete URL, such as https://app.example.com/callback.'
  if (text.includes('#')) return 'A redirect URI can’t have a fragment (#).'
  if (url.username !== '' || url.password !== '')
    return 'A redirect URI can’t contain a user name or password.'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:')
    return isLoopback(url)
      ? null
      : 'Plain http is allowed for your own machine only: http://127.0.0.1, http://[::1] or http://localhost.'
  return isReverseDomainScheme(url.protocol)
    ? null
    : 'The scheme of a native app must be a reverse-domain name, such as com.example.app:/callback.'
}

export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'

/** https://www.rfc-editor.org/rfc/rfc8252#section-7.1 */
const isReverseDomainScheme = (protocol: string): boolean =>
  /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)

/** How a native app's redirect URI works; null for https, for `localhost` (the linter has a hint) and for a fault. */
export function explainRedirectUri(text: string): string | null {
  if (findRedirectUriFault(text) !== null) return null
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:' || hostname === 'localhost') return null
  return protocol === 'http:'
    ? `${text} is for an app on the same machine. The port may differ when the app uses it.`
    : `${text} opens a native app. Use your own domain, so that no other app claims the scheme.`
}
