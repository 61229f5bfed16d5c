/**
 * A head of the audit chain: number and hash of its newest row, signed with a key of the keyring. Each head signs the one
 * before it too, so the newest head of a folder proves every earlier one.
 */
import { z } from 'zod'
import type { Keyring } from '../keyring.ts'

const count = z.string().regex(/^\d{1,18}$/)
const hex = z.string().regex(/^([0-9a-f]{2})*$/)

const headLine = z.object({
  sequence: count,
  /** The previous head's sequence number; 0 for the first head. */
  follows: count,
  /** The previous head's signature; empty for the first head. */
  previous: hex,
  number: count,
  hash: hex,
  at: z.iso.datetime(),
  mac: hex,
})

export type HeadLine = z.output<typeof headLine>

const context = 'audit-head'

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export const signHead = (head: Omit<HeadLine, 'mac'>, keyring: Keyring): Uint8Array<ArrayBuffer> =>
  keyring.mac(signedText(head), context)

export const isSignedHead = (head: HeadLine, keyring: Keyring): boolean =>
  keyring.matchesMac(signedText(head), Buffer.from(head.mac, 'hex'), context)

const signedText = ({ sequence, follows, previous, number, hash, at }: Omit<HeadLine, 'mac'>): string =>
  [sequence, follows, previous, number, hash, at].join(' ')

/** Null for a line that was truncated during a write. Such a head is written again. */
export function parseHeadLine(line: string): HeadLine | null {
  try {
    return headLine.parse(JSON.parse(line))
  } catch {
    return null
  }
}

/** A head as it is signed, from its row and the signature of the head it follows. */
export function toUnsigned(
  head: { sequence: bigint; follows: bigint; chainNumber: bigint; chainHash: Uint8Array; at: Date },
  previous: Uint8Array | undefined,
): Omit<HeadLine, 'mac'> {
  return {
    sequence: head.sequence.toString(),
    follows: head.follows.toString(),
    previous: previous ? hexOf(previous) : '',
    number: head.chainNumber.toString(),
    hash: hexOf(head.chainHash),
    at: head.at.toISOString(),
  }
}
