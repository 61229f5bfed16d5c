/**
 * Marks the browser in which a person signed up, so that the link in the email needs no password there. The cookie is a
 * keyed hash of the email address and the password hash: it becomes invalid when either changes, and does not reveal
 * whether the address already had an account.
 */
import type { Env } from '../env.ts'
import type { Keyring } from '../keyring.ts'

type Dependencies = { keyring: Keyring; env: Pick<Env, 'PUBLIC_ORIGIN'> }
type SignUp = { email: string; passwordHash: string }

/** The lifetime of the link in the email. */
const maxAgeSeconds = 24 * 3_600
const purpose = 'sign-up browser'
const textOf = ({ email, passwordHash }: SignUp) => `${email}\n${passwordHash}`

const isHttps = ({ PUBLIC_ORIGIN }: Pick<Env, 'PUBLIC_ORIGIN'>) => PUBLIC_ORIGIN.startsWith('https:')
const nameOf = (env: Pick<Env, 'PUBLIC_ORIGIN'>) => `${isHttps(env) ? '__Host-' : ''}sandpiper-sign-up`

/** @returns a Set-Cookie */
export function signUpCookie({ keyring, env }: Dependencies, signUp: SignUp | null): string {
  const value = signUp ? Buffer.from(keyring.mac(textOf(signUp), purpose)).toString('base64url') : ''
  const maxAge = signUp ? maxAgeSeconds : 0
  return `${nameOf(env)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isHttps(env) ? '; Secure' : ''}`
}

/** @param cookies the request's Cookie header */
export function isSignUpBrowser({ keyring, env }: Dependencies, cookies: string | null, signUp: SignUp) {
  const start = `${nameOf(env)}=`
  const value = cookies
    ?.split(/;\s*/)
    .find((cookie) => cookie.startsWith(start))
    ?.slice(start.length)
  return Boolean(value) && keyring.matchesMac(textOf(signUp), Buffer.from(value ?? '', 'base64url'), purpose)
}
