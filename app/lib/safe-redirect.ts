/**
 * A path of our own, safe to redirect to: starts with one slash and stays on this origin.
 * @returns `fallback` for anything else (another origin, a scheme, a backslash trick, a control character).
 */
export function safeRedirect(value: FormDataEntryValue | string | null | undefined, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/') || hasControlCharacter(value)) return fallback
  const anywhere = 'https://portal.invalid'
  try {
    const url = new URL(value, anywhere)
    // `/..//host` loses its dots here and would leave as `//host`.
    const local = url.origin === anywhere && !url.pathname.startsWith('//')
    return local ? url.pathname + url.search : fallback
  } catch {
    return fallback
  }
}

/** A browser drops tabs and line breaks from a URL, which could turn `/\t/host` into `//host`. */
const hasControlCharacter = (value: string): boolean =>
  [...value].some((character) => character.charCodeAt(0) < 0x20)
