/**
 * The format of an API key: `svc_` + `t` (sandbox) or `l` (production) + 7 characters of public id
 * + 33 characters of secret (about 196 bits) + 6 characters of CRC-32 over all before them, all base62.
 * Pure and safe in a browser: the page for leaked keys tests the checksum before it sends a hash.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const publicIdLength = 7
const secretLength = 33
const checksumLength = 6
/** `svc_`, one letter for the environment, and the public id. */
const prefixLength = 12

/** Finds a key in any text: logs, mails and commits are searched with it. */
export const keyPattern = /svc_[tl][0-9A-Za-z]{46}/

const wholeKey = /^svc_[tl][0-9A-Za-z]{46}$/
/** The public part alone. */
export const prefixPattern = /^svc_[tl][0-9A-Za-z]{7}$/
const claimedPrefix = /^svc_[tl][0-9A-Za-z]{7}/

type KeyEnvironment = 'sandbox' | 'production'

type ParsedKey = { prefix: string; environment: KeyEnvironment }

/**
 * A new key.
 * @param randomBytes cryptographically strong bytes, so many as asked for
 */
export function makeKey(environment: KeyEnvironment, randomBytes: (size: number) => Uint8Array): string {
  const random = randomCharacters(publicIdLength + secretLength, randomBytes)
  const body = `svc_${environment === 'sandbox' ? 't' : 'l'}${random}`
  return body + checksum(body)
}

/** The parts of a whole key whose checksum holds, or null. Says nothing about whether the key exists. */
export function parseKey(text: string): ParsedKey | null {
  if (!wholeKey.test(text)) return null
  const body = text.slice(0, -checksumLength)
  if (checksum(body) !== text.slice(-checksumLength)) return null
  return { prefix: prefixOf(text), environment: text[4] === 't' ? 'sandbox' : 'production' }
}

/** The public part of a key: its first 12 characters. */
export const prefixOf = (key: string): string => key.slice(0, prefixLength)

/** What a malformed key claims to be, for the log of refused requests; null when not even that can be read. */
export const claimedPrefixOf = (text: string): string | null =>
  claimedPrefix.test(text) ? prefixOf(text) : null

/** CRC-32 (IEEE 802.3) of an ASCII text, as six base62 characters, most significant first. */
export function checksum(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < checksumLength; i++) {
    out = alphabet[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

function randomCharacters(count: number, randomBytes: (size: number) => Uint8Array): string {
  let out = ''
  while (out.length < count) {
    for (const byte of randomBytes(count * 2)) {
      // 248 is the greatest multiple of 62 in a byte: what lies above would favour the first letters.
      if (byte < 248 && out.length < count) out += alphabet[byte % 62]
    }
  }
  return out
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(i)) & 0xff] as number)
  }
  return (crc ^ 0xffffffff) >>> 0
}
