/** Time-based codes of an authenticator app: SHA-1, six digits, 30 s, which is what every app knows. RFC 6238. */
import { Secret, TOTP } from 'otpauth'
import { totpDigits } from '../../contract/forms/mfa.ts'

/** https://www.rfc-editor.org/rfc/rfc4226#section-4 asks for 160 bits. */
export const seedBytes = 20
const periodSeconds = 30
/** Clocks of telephones are a little wrong: one step either way. */
const window = 1

function totpOf(seed: Uint8Array, label = ''): TOTP {
  const secret = new Secret({ buffer: new Uint8Array(seed).buffer })
  return new TOTP({ issuer: 'Sandpiper', label, secret, digits: totpDigits, period: periodSeconds })
}

/** What an app scans, and the same to type in. */
export function toEnrolment(seed: Uint8Array, label: string): { uri: string; typed: string } {
  const totp = totpOf(seed, label)
  return { uri: totp.toString(), typed: totp.secret.base32 }
}

/** @returns the time step whose code this is; null when it is none of now */
export function findStep(seed: Uint8Array, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(seed).validate({ token: code, timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1_000 / periodSeconds) + delta
}
