/** The visitor's choice of theme: a cookie, so that the server paints the right one at once. */
export type Theme = 'light' | 'dark' | 'system'
export const themes = ['system', 'light', 'dark'] as const satisfies Theme[]
const cookieName = 'sandpiper-theme'

export function themeOf(cookies: string | null): Theme {
  const found = new RegExp(`(?:^|;\\s*)${cookieName}=(light|dark)(?:;|$)`).exec(cookies ?? '')?.[1]
  return found === 'light' || found === 'dark' ? found : 'system'
}

/** Follows the system if the value is no theme. */
export function parseTheme(value: unknown): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Set-Cookie that stores the choice for a year, or deletes it if it is the system's theme. */
export function themeCookie(theme: Theme): string {
  const lifetime = theme === 'system' ? 'Max-Age=0' : 'Max-Age=31536000'
  return `${cookieName}=${theme}; Path=/; ${lifetime}; SameSite=Lax; HttpOnly`
}
