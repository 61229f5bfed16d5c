import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createKeyring, KeyringError, SealError } from './keyring.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

describe('keyring', () => {
  test('what is sealed opens again, for its own purpose only', () => {
    const keyring = createKeyring(`a:${key(1)}`)

    const sealed = keyring.seal(Buffer.from('Grüße 🐦'), 'outbox:1')

    expect(text(keyring.open(sealed, 'outbox:1'))).toBe('Grüße 🐦')
    expect(() => keyring.open(sealed, 'outbox:2')).toThrow(SealError)
    expect(Buffer.from(sealed).includes('Gr')).toBe(false)
  })

  test('empty content can be sealed and two seals of the same content differ', () => {
    const keyring = createKeyring(`a:${key(1)}`)

    expect(keyring.open(keyring.seal(new Uint8Array(), 'x'), 'x')).toHaveLength(0)
    expect(keyring.seal(Buffer.from('x'), 'x')).not.toEqual(keyring.seal(Buffer.from('x'), 'x'))
  })

  test('any changed byte breaks the seal', () => {
    const keyring = createKeyring(`a:${key(1)}`)
    const sealed = keyring.seal(randomBytes(8), 'x')

    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => keyring.open(changed, 'x'), `byte ${at}`).toThrow(SealError)
    }
    expect(() => keyring.open(sealed.subarray(0, 9), 'x')).toThrow(SealError)
    expect(() => keyring.open(new Uint8Array(), 'x')).toThrow(SealError)
  })

  test('after a change of keys the old seal opens, is resealed once, and outlives the old key', () => {
    const before = createKeyring(`old:${key(1)}`)
    const during = createKeyring(`new:${key(2)},old:${key(1)}`)
    const after = createKeyring(`new:${key(2)}`)
    const sealed = before.seal(Buffer.from('x'), 'c')

    const resealed = during.reseal(sealed, 'c')

    expect(text(during.open(sealed, 'c'))).toBe('x')
    expect(() => after.open(sealed, 'c')).toThrow(/key old/)
    expect(text(after.open(resealed ?? new Uint8Array(), 'c'))).toBe('x')
    expect(during.reseal(resealed ?? new Uint8Array(), 'c')).toBeNull()
  })

  test('a malformed keyring is refused with every problem and without the keys themselves', () => {
    const secret = Buffer.alloc(31, 7).toString('base64')
    const refused = () =>
      createKeyring(`a:${key(1)},a:${key(2)},b:${secret},c:!!!,${secret},d d:${key(3)},e:`)

    expect(refused).toThrow(KeyringError)
    try {
      refused()
    } catch (error) {
      const { problems, message } = error as KeyringError
      expect(problems).toEqual([
        'key 2: the id a is given twice',
        'key 3 (b): 31 bytes instead of 32',
        'key 4 (c): not base64',
        'key 5 is not of the form id:base64',
        'key 6: its id must be 1–32 letters, digits, - or _',
        'key 7 (e): 0 bytes instead of 32',
      ])
      expect(message).not.toContain(secret)
    }
    expect(() => createKeyring('')).toThrow(KeyringError)
  })
})

test('a keyed hash is matched by the same text, context and keyring only', () => {
  const [one, other] = [1, 2].map((fill) => `k${fill}:${Buffer.alloc(32, fill).toString('base64')}`)
  const old = createKeyring(String(one))
  const changed = createKeyring(`${other},${one}`)
  const mac = old.mac('a secret', 'client secret')

  expect(old.matchesMac('a secret', mac, 'client secret')).toBe(true)
  expect(changed.matchesMac('a secret', mac, 'client secret')).toBe(true)
  expect(old.matchesMac('a secre', mac, 'client secret')).toBe(false)
  expect(old.matchesMac('a secret', mac, 'another purpose')).toBe(false)
  expect(createKeyring(String(other)).matchesMac('a secret', mac, 'client secret')).toBe(false)
  expect(old.matchesMac('a secret', mac.slice(0, -1), 'client secret')).toBe(false)
  expect(Buffer.from(mac).toString('latin1')).not.toContain('a secret')
})
