/** The visitor's choice of theme: a cookie, so that the server paints the right one at once. */
export type Theme = 'light' | 'dark' | 'system'
export const themes = ['system', 'light', 'dark'] as const satisfies Theme[]
const cookieName = 'sandpiper-theme'

export function themeOf(cookies: string | null): Theme {
  const found = new RegExp(`(?:^|;\\s*)${cookieName}=(light|dark)(?:;|$)`).exec(cookies ?? '')?.[1]
  return found === 'light' || found === 'dark' ? found : 'system'
}

/** Anything that is not a theme means: follow the system. */
export function parseTheme(value: unknown): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Set-Cookie that keeps the choice for a year, or forgets it when it is the system's. */
export function themeCookie(theme: Theme): string {
  const lifetime = theme === 'system' ? 'Max-Age=0' : 'Max-Age=31536000'
  return `${cookieName}=${theme}; Path=/; ${lifetime}; SameSite=Lax; HttpOnly`
}
