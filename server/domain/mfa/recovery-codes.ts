/** Codes for a lost authenticator app: each good once, stored as hashes. */
import { createHash } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { recoveryCodeAlphabet, recoveryCodesMade } from '../../contract/forms/mfa.ts'

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

/** A plain hash will do: nobody guesses 79 bits. */
function hashOf(accountId: string, code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${accountId}\n${code}`).digest())
}

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
