/** Makes the opaque values of contract/opaque-values.ts and the hashes that are stored in their place. */
import { hash } from 'node:crypto'
import { type OpaqueKind, opaquePrefixes } from '../contract/opaque-values.ts'

/** @returns the value, which is not stored and cannot be read again */
export function makeOpaque(kind: OpaqueKind, randomBytes: (size: number) => Uint8Array): string {
  return `${opaquePrefixes[kind]}${Buffer.from(randomBytes(32)).toString('base64url')}`
}

/** SHA-256. A plain hash will do: nobody guesses 256 bits. */
export function hashOpaque(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', text, 'buffer'))
}
