import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checksum, claimedPrefixOf, keyPattern, makeKey, parseKey, prefixOf } from './key-format.ts'

/** Six base62 digits back to a number. */
function fromBase62(text: string): number {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  return [...text].reduce((sum, letter) => sum * 62 + alphabet.indexOf(letter), 0)
}

/** The same bytes in every run, evenly spread. */
function fixedBytes(): (size: number) => Uint8Array {
  let block = 0
  return (size) => {
    const blocks = Array.from({ length: Math.ceil(size / 64) }, () =>
      createHash('sha512').update(String(block++)).digest(),
    )
    return Buffer.concat(blocks).subarray(0, size)
  }
}

describe('a key', () => {
  test('has 51 characters, tells its environment and parses to its public prefix', () => {
    const key = makeKey('sandbox', randomBytes)

    expect(key).toMatch(/^svc_t[0-9A-Za-z]{46}$/)
    expect(parseKey(key)).toEqual({ prefix: key.slice(0, 12), environment: 'sandbox' })
    expect(parseKey(makeKey('production', randomBytes))?.environment).toBe('production')
  })

  test('ends with the CRC-32 of all before it', () => {
    const key = makeKey('sandbox', randomBytes)

    expect(fromBase62(key.slice(-6))).toBe(crc32(key.slice(0, -6)))
    expect(checksum('')).toBe('000000')
  })

  test('with any one character changed is refused', () => {
    const key = makeKey('production', randomBytes)

    for (let at = 0; at < key.length; at++) {
      const changed = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
      expect(parseKey(changed), `character ${at}`).toBeNull()
    }
  })

  test.each([
    '',
    'svc_',
    'svc_t',
    'SVC_tAAAAAAA',
    'svc_x'.padEnd(51, '0'),
    'svc_t'.padEnd(52, '0'),
    'svc_t'.padEnd(51, 'é'),
  ])('is not read from %j', (text) => {
    expect(parseKey(text)).toBeNull()
  })

  test('takes every letter alike', () => {
    const counts = new Map<string, number>()
    const bytes = fixedBytes()

    for (let i = 0; i < 500; i++) {
      for (const letter of makeKey('sandbox', bytes).slice(5, -6)) {
        counts.set(letter, (counts.get(letter) ?? 0) + 1)
      }
    }

    expect(counts.size).toBe(62)
    // 20,000 letters, 322 each expected; five standard deviations on either side.
    for (const count of counts.values()) expect(Math.abs(count - 322.6)).toBeLessThan(90)
  })

  test('is found in running text', () => {
    const key = makeKey('sandbox', randomBytes)

    expect(`Authorization: Bearer ${key}\n`).toMatch(keyPattern)
    expect(prefixOf(key)).not.toMatch(keyPattern)
  })
})

test('a malformed key is logged by the prefix it claims, and by nothing when it claims none', () => {
  const key = makeKey('sandbox', randomBytes)

  expect(claimedPrefixOf(key.slice(0, 30))).toBe(prefixOf(key))
  expect(claimedPrefixOf('svc_tshort')).toBeNull()
  expect(claimedPrefixOf('hello')).toBeNull()
})
