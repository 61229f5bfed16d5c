/**
 * The key of a browser that launches without an account. Whoever holds it reads the logs of its launches, and an app
 * that it opens is that of its launch. It is in no link.
 */
import { hashToken } from '../../auth/random-token.ts'
import { openLaunchLimits } from '../../contract/lab/open-launch.ts'

const pattern = /^[A-Za-z0-9_-]{43}$/

type OpenKeyCore = Readonly<{
  env: { PUBLIC_ORIGIN: string }
  randomBytes: (size: number) => Uint8Array
}>

/** @returns its hash, null for a browser that has none */
export function openKeyHash(core: Pick<OpenKeyCore, 'env'>, cookieHeader: string | null) {
  const key = readKey(core, cookieHeader)
  return key === null ? null : hashToken(key)
}

/** The key that the browser has, or a new one, and the Set-Cookie that keeps it for another hour. */
export function keepOpenKey(core: OpenKeyCore, cookieHeader: string | null) {
  const key = readKey(core, cookieHeader) ?? Buffer.from(core.randomBytes(32)).toString('base64url')
  const secure = isHttps(core) ? '; Secure' : ''
  const cookie = `${nameOf(core)}=${key}; Max-Age=${openLaunchLimits.logMinutes * 60}; Path=/; HttpOnly; SameSite=Lax${secure}`
  return { keyHash: hashToken(key), cookie }
}

function readKey(core: Pick<OpenKeyCore, 'env'>, cookieHeader: string | null): string | null {
  const start = `${nameOf(core)}=`
  const found = (cookieHeader ?? '').split(/;\s*/).find((pair) => pair.startsWith(start))
  const key = found?.slice(start.length) ?? ''
  return pattern.test(key) ? key : null
}

/** A browser takes `__Host-` cookies over https only; plain http is for localhost. */
const nameOf = (core: Pick<OpenKeyCore, 'env'>) => `${isHttps(core) ? '__Host-' : ''}sandpiper-launch`
const isHttps = ({ env }: Pick<OpenKeyCore, 'env'>) => env.PUBLIC_ORIGIN.startsWith('https:')
