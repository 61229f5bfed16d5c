/**
 * The address the browser goes back to. The registered address stays as it is, letter for letter; parameters
 * are added behind it. https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2
 */
export function redirectWith(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString()
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
