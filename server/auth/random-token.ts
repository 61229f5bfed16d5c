/** Makes the opaque values of contract/smart/token-formats.ts and the hashes that are stored in their place. */
import { hash, randomInt } from 'node:crypto'
import { type TokenKind, tokenPrefixes } from '../contract/smart/token-formats.ts'

/** @returns the value. Only its hash is stored, so it can't be read again */
export const randomToken = (kind: TokenKind, randomBytes: (size: number) => Uint8Array): string =>
  `${tokenPrefixes[kind]}${Buffer.from(randomBytes(32)).toString('base64url')}`

/** SHA-256. A plain hash is enough, because 256 random bits can't be guessed. */
export const hashToken = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', text, 'buffer'))

// Passwords that people read from a page or a terminal and type.

/** No letters that look like another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Four groups of four, about 79 bits. */
export function makeReadablePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
