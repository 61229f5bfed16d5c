/** The programming language of code samples. It is a cookie, so that the server renders the right one at once. */
const cookieName = 'sandpiper-language'

/** @returns a language's name or null. The page checks whether it has code in that language. */
export const languageOf = (cookies: string | null): string | null =>
  new RegExp(`(?:^|;\\s*)${cookieName}=([a-z]{1,20})(?:;|$)`).exec(cookies ?? '')?.[1] ?? null

/** Browser only. */
export function keepLanguage(language: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
  document.cookie = `${cookieName}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`
}
