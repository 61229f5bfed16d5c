/** The cookie in which a new client secret goes, sealed, from the form that made it to the page that shows it. */

const cookieName = '__Host-sandpiper-secret'
const attributes = 'Path=/; HttpOnly; SameSite=Strict; Secure'

/** Set-Cookie for the redirect to that page; what it holds opens no longer either (secret-handover.ts). */
export const secretCookie = (sealed: string) => `${cookieName}=${sealed}; Max-Age=120; ${attributes}`

/** Set-Cookie that forgets it. */
export const forgetSecretCookie = () => `${cookieName}=; Max-Age=0; ${attributes}`

export function sealedSecretOf(cookies: string | null): string | null {
  return (
    new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{1,2000})(?:;|$)`).exec(cookies ?? '')?.[1] ?? null
  )
}
