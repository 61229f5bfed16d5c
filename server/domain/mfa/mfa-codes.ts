/** Time-based codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 s, which every app supports. */

import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { recoveryCodeAlphabet, recoveryCodesMade, totpDigits } from '../../contract/forms/mfa.ts'

/** https://www.rfc-editor.org/rfc/rfc4226#section-4 asks for 160 bits. */
export const seedBytes = 20
const periodSeconds = 30
/** One step more or less is accepted, because the clocks of phones differ a little. */
const window = 1

function totpOf(seed: Uint8Array, label = ''): TOTP {
  const secret = new Secret({ buffer: new Uint8Array(seed).buffer })
  return new TOTP({ issuer: 'Sandpiper', label, secret, digits: totpDigits, period: periodSeconds })
}

/** The URI for the QR code, and the secret for typing. */
export function toEnrolment(seed: Uint8Array, label: string): { uri: string; typed: string } {
  const totp = totpOf(seed, label)
  return { uri: totp.toString(), typed: totp.secret.base32 }
}

/** @returns the time step of the code; null if it is not a current code */
export function findStep(seed: Uint8Array, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = totpOf(seed).validate({ token: code, timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1_000 / periodSeconds) + delta
}

// Recovery codes, for a lost authenticator app. Each works once and is stored as a hash.

const characters = 16

/** Replaces all earlier codes. @returns the codes, which are not stored */
export async function replaceRecoveryCodes(
  tx: Prisma.TransactionClient,
  accountId: string,
  randomBytes: (size: number) => Uint8Array,
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesMade }, () => makeCode(randomBytes))
  await tx.recoveryCode.deleteMany({ where: { accountId } })
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ accountId, codeHash: hashOf(accountId, code) })),
  })
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}

/** Uses up a code. @returns whether it was an unused code of the account */
export async function takeRecoveryCode(
  tx: Prisma.TransactionClient,
  { accountId, code, now }: { accountId: string; code: string; now: Date },
): Promise<boolean> {
  const { count } = await tx.recoveryCode.updateMany({
    where: { accountId, codeHash: hashOf(accountId, code), usedAt: null },
    data: { usedAt: now },
  })
  return count > 0
}

/** A plain hash is enough, because 79 bits can't be guessed. */
const hashOf = (accountId: string, code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(`${accountId}\n${code}`).digest())

/** Bytes beyond a multiple of the alphabet's length are drawn again, so that every letter is equally likely. */
function makeCode(randomBytes: (size: number) => Uint8Array): string {
  const bound = 256 - (256 % recoveryCodeAlphabet.length)
  let code = ''
  while (code.length < characters) {
    for (const byte of randomBytes(characters)) {
      if (byte < bound && code.length < characters)
        code += recoveryCodeAlphabet[byte % recoveryCodeAlphabet.length]
    }
  }
  return code
}
