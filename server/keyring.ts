/**
 * The keyring of ENCRYPTION_KEYS: AES-256-GCM with the key's id in front, so that keys can be changed while old
 * seals still open. What a seal is for (its context) is authenticated with it: bytes sealed for one row or
 * purpose do not open for another.
 *
 * Layout of a seal: version (1) · length of key id (1) · key id · nonce (12) · ciphertext · tag (16).
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const keyIdPattern = /^[A-Za-z0-9_-]{1,32}$/

export type Keyring = ReturnType<typeof createKeyring>

/** Thrown at boot with everything that is wrong with the keyring; never holds a key. */
export class KeyringError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`ENCRYPTION_KEYS is not usable:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'KeyringError'
    this.problems = problems
  }
}

export class SealError extends Error {
  override name = 'SealError'
}

/**
 * @param specification `id:base64` pairs, comma separated, 32 bytes each; the first seals, all open
 * @throws KeyringError listing every malformed key
 */
export function createKeyring(specification: string) {
  const keys = parseKeys(specification)
  const [sealing] = keys
  if (!sealing) throw new KeyringError(['no key is given'])
  const [sealingId, sealingKey] = sealing
  const byId = new Map(keys)

  function seal(bytes: Uint8Array, context: string): Uint8Array<ArrayBuffer> {
    return sealWith(sealingId, bytes, context)
  }

  function sealWith(keyId: string, bytes: Uint8Array, context: string): Uint8Array<ArrayBuffer> {
    const key = byId.get(keyId)
    if (!key) throw new SealError(`the keyring does not hold the key ${keyId}`)
    const nonce = randomBytes(NONCE_BYTES)
    const header = headerOf(keyId)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(Buffer.concat([header, Buffer.from(context, 'utf8')]))
    const body = Buffer.concat([cipher.update(bytes), cipher.final()])
    return new Uint8Array(Buffer.concat([header, nonce, body, cipher.getAuthTag()]))
  }

  function open(sealed: Uint8Array, context: string): Uint8Array<ArrayBuffer> {
    const { keyId, header, rest } = parseSeal(sealed)
    const key = byId.get(keyId)
    if (!key) throw new SealError(`sealed with key ${keyId}, which the keyring does not hold`)
    const tagStart = rest.length - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.concat([header, Buffer.from(context, 'utf8')]))
    decipher.setAuthTag(rest.subarray(tagStart))
    try {
      return new Uint8Array(
        Buffer.concat([decipher.update(rest.subarray(NONCE_BYTES, tagStart)), decipher.final()]),
      )
    } catch {
      throw new SealError('the seal is broken or was made for another purpose')
    }
  }

  function openText(sealed: Uint8Array, context: string): string | null {
    try {
      return Buffer.from(open(sealed, context)).toString('utf8')
    } catch (error) {
      if (error instanceof SealError) return null
      throw error
    }
  }

  function reseal(sealed: Uint8Array, context: string): Uint8Array<ArrayBuffer> | null {
    if (parseSeal(sealed).keyId === sealingId) return null
    return seal(open(sealed, context), context)
  }

  function mac(text: string, context: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat([headerOf(sealingId), macUnder(sealingKey, text, context)]))
  }

  function matchesMac(text: string, stored: Uint8Array, context: string): boolean {
    const bytes = Buffer.from(stored)
    const headerEnd = 2 + (bytes[1] ?? 0)
    const key = byId.get(bytes.subarray(2, headerEnd).toString('ascii'))
    const digest = bytes.subarray(headerEnd)
    if (bytes[0] !== VERSION || !key || digest.length !== 32) return false
    return timingSafeEqual(macUnder(key, text, context), digest)
  }

  function isOld(bytes: Uint8Array): boolean {
    const header = headerOf(sealingId)
    return !Buffer.from(bytes).subarray(0, header.length).equals(header)
  }

  function keyIdOf(bytes: Uint8Array): string | null {
    const [version, length = 0] = bytes
    const id = Buffer.from(bytes.subarray(2, 2 + length)).toString('latin1')
    return version === VERSION && keyIdPattern.test(id) ? id : null
  }

  return {
    /** Seals with the first key. */
    seal,
    /** Seals with the key of this id, which need not be the first. @throws SealError when the keyring does not hold it */
    sealWith,
    /** @throws SealError when the bytes were changed, meant for another context, or their key is gone */
    open,
    /** The text of a seal; null where `open` throws: no one can read it any more, so it is as good as gone. */
    openText,
    /** The same content under the first key; null when it is already. */
    reseal,
    /** A keyed hash (HMAC-SHA-256) under the first key, its id in front: for secrets that are only ever compared. */
    mac,
    /** In constant time. False too when the key of the hash is gone. */
    matchesMac,
    /** The id of the key of a seal or keyed hash; null: it is neither. */
    keyIdOf,
    /** Whether a seal or keyed hash is of a key other than the first: to be made anew before that key may go. */
    isOld,
    keyIds: [...byId.keys()],
  }
}

/** Under a key of its own: what seals never signs. */
function macUnder(key: Buffer, text: string, context: string): Buffer {
  const derived = Buffer.from(hkdfSync('sha256', key, '', `mac:${context}`, 32))
  return createHmac('sha256', derived).update(text).digest()
}

const headerOf = (keyId: string): Buffer =>
  Buffer.concat([Buffer.from([VERSION, keyId.length]), Buffer.from(keyId, 'ascii')])

function parseSeal(sealed: Uint8Array): { keyId: string; header: Buffer; rest: Buffer } {
  const bytes = Buffer.from(sealed)
  const headerEnd = 2 + (bytes[1] ?? 0)
  if (bytes[0] !== VERSION || bytes.length < headerEnd + NONCE_BYTES + TAG_BYTES)
    throw new SealError('not a seal')
  return {
    keyId: bytes.subarray(2, headerEnd).toString('ascii'),
    header: bytes.subarray(0, headerEnd),
    rest: bytes.subarray(headerEnd),
  }
}

function parseKeys(specification: string): [id: string, key: Buffer][] {
  const problems: string[] = []
  const seen = new Set<string>()
  const keys = specification.split(',').map((pair, index): [string, Buffer] => {
    const colon = pair.indexOf(':')
    const id = pair.slice(0, Math.max(colon, 0)).trim()
    const encoded = pair.slice(colon + 1).trim()
    const key = Buffer.from(encoded, 'base64')
    // The id is repeated only once it is known to be one: a pair without a colon may be nothing but a key.
    const called = `key ${index + 1}`
    if (colon < 0) problems.push(`${called} is not of the form id:base64`)
    else if (!keyIdPattern.test(id)) problems.push(`${called}: its id must be 1–32 letters, digits, - or _`)
    else if (seen.has(id)) problems.push(`${called}: the id ${id} is given twice`)
    else if (key.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '')) {
      problems.push(`${called} (${id}): not base64`)
    } else if (key.length !== 32) problems.push(`${called} (${id}): ${key.length} bytes instead of 32`)
    seen.add(id)
    return [id, key]
  })
  if (problems.length > 0) throw new KeyringError(problems)
  return keys
}
