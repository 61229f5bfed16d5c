/** The language in which a visitor reads code: a cookie, so that the server shows the right one at once. */
const cookieName = 'sandpiper-language'

/** The name of a language, or null; whether there is code in it is the page's to say. */
export function languageOf(cookies: string | null): string | null {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([a-z]{1,20})(?:;|$)`).exec(cookies ?? '')?.[1] ?? null
}

/** Browser only. */
export function keepLanguage(language: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
  document.cookie = `${cookieName}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`
}
