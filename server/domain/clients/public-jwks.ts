/** Which keys an app may sign with. https://hl7.org/fhir/smart-app-launch/STU2.2/client-confidential-asymmetric.html */
import { Problem } from '../../contract/http/problems.ts'
import type { PublicJwks } from './client-types.ts'

const keysMax = 20
const rsaBytesMin = 256
/** Members that only a private key has. */
export const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

/** What is wrong with a key set, as a sentence that never repeats the keys; null when it can be registered. */
export function findJwksFault(value: unknown): string | null {
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys)) return 'A JWKS must be an object with an array named keys.'
  if (keys.length === 0 || keys.length > keysMax) return `A JWKS must have 1 to ${keysMax} keys.`
  for (const key of keys) {
    const fault = faultOfKey(key)
    if (fault) return fault
  }
  return null
}

/** @throws Problem `validation` with what is wrong; never repeats the keys */
export function checkPublicJwks(value: unknown): void {
  const message = findJwksFault(value)
  if (message !== null) throw new Problem('validation', { field: 'jwks', message })
}

/** The usable keys of a set that somebody else serves; others in it are none of ours. */
export function usableKeys(value: unknown): PublicJwks | null {
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys)) return null
  return { keys: keys.slice(0, keysMax).filter((key) => faultOfKey(key) === null) }
}

function faultOfKey(key: unknown): string | null {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return 'A key must be an object.'
  const { kty, kid, crv, n, x, y, use } = key as Record<string, unknown>
  if (secretMembers.some((name) => name in key))
    return 'A key contains its private part. Enter public keys only, and stop using this key because it is no longer secret.'
  if (typeof kid !== 'string' || kid.length === 0 || kid.length > 255)
    return 'Every key needs a kid of 1 to 255 characters.'
  if (use !== undefined && use !== 'sig') return 'A key is not for signing.'
  if (kty === 'RSA')
    return typeof n === 'string' && Buffer.from(n, 'base64url').length >= rsaBytesMin
      ? null
      : 'An RSA key must have at least 2,048 bits.'
  if (kty === 'EC')
    return crv === 'P-384' && typeof x === 'string' && typeof y === 'string'
      ? null
      : 'An EC key must use the curve P-384, for ES384.'
  return 'Keys must be RSA (for RS384) or EC P-384 (for ES384).'
}
