/**
 * The URL that the browser returns to: the registered redirect URI, unchanged, with parameters appended.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2
 */
export function redirectWith(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString()
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
