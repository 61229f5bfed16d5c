/** Time-based codes of an authenticator app: SHA-1, six digits, 30 s, which is what every app knows. RFC 6238. */

import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { recoveryCodeAlphabet, recoveryCodesMade, totpDigits } from '../../contract/forms/mfa.ts'

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

// Codes for a lost authenticator app: each good once, stored as hashes.

const characters = 16

/** Takes the place of every earlier code. @returns the codes, which cannot be read again */
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

/** @returns whether it was one of the account's, unused until now */
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

/** A plain hash will do: no one guesses 79 bits. */
const hashOf = (accountId: string, code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(`${accountId}\n${code}`).digest())

/** Every letter as likely as another: bytes beyond a multiple of the alphabet are drawn again. */
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
