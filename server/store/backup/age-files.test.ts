import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createDecrypter,
  createEncrypter,
  createKeyPair,
  decrypt,
  encrypt,
  type KeyPair,
} from './age-files.ts'

const plain = randomBytes(200_000)
let ours: KeyPair
let others: KeyPair
let sealed: Buffer

async function* chunksOf(bytes: Buffer, size = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(Buffer.from(chunk))
  return Buffer.concat(all)
}

const open = async (bytes: Buffer, { identity }: KeyPair) =>
  collect(decrypt(await createDecrypter(`# a comment\n${identity}\n`, 'key.txt'), chunksOf(bytes), 'a file'))

beforeAll(async () => {
  ours = await createKeyPair()
  others = await createKeyPair()
  sealed = await collect(encrypt(await createEncrypter([ours.recipient]), chunksOf(plain)))
})

test('what is encrypted for several keys opens with each of them, and differs every time', async () => {
  const encrypter = await createEncrypter([ours.recipient, others.recipient])
  const once = await collect(encrypt(encrypter, chunksOf(plain)))
  const again = await collect(encrypt(encrypter, chunksOf(plain)))

  expect(await open(once, ours)).toEqual(plain)
  expect(await open(again, others)).toEqual(plain)
  expect(once.equals(again)).toBe(false)
  expect(once.includes(plain.subarray(0, 64))).toBe(false)
})

test('nothing at all is encrypted, too', async () => {
  const nothing = await collect(encrypt(await createEncrypter([ours.recipient]), chunksOf(Buffer.alloc(0))))

  expect(await open(nothing, ours)).toEqual(Buffer.alloc(0))
})

describe('it is refused', () => {
  test('with another key', async () => {
    await expect(open(sealed, others)).rejects.toThrow('a file is encrypted for another key')
  })

  test.each([
    ['cut off within a chunk', (bytes: Buffer) => bytes.subarray(0, 150_000)],
    [
      'cut off between two chunks',
      (bytes: Buffer) => bytes.subarray(0, bytes.length - (plain.length % 65_536) - 16),
    ],
    ['changed in its first chunk', (bytes: Buffer) => changedAt(bytes, 500)],
    ['changed in its last chunk', (bytes: Buffer) => changedAt(bytes, bytes.length - 100)],
    ['changed in its header', (bytes: Buffer) => changedAt(bytes, 100)],
    ['longer than it was', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['not encrypted', () => plain],
    ['empty', () => Buffer.alloc(0)],
  ])('when it is %s', async (_, change) => {
    await expect(open(change(sealed), ours)).rejects.toThrow(
      /a file (was cut off or changed|is encrypted for another key)/,
    )
  })

  test('with a key that is none, without the key in the message', async () => {
    const other = ours.recipient.endsWith('x') ? 'y' : 'x'
    await expect(createEncrypter([`${ours.recipient.slice(0, -1)}${other}`])).rejects.toThrow(
      'BACKUP_RECIPIENT: key 1 is not',
    )
    const mistyped = ours.identity.toLowerCase().slice(0, -2)
    const error: Error = await createDecrypter(mistyped, 'key.txt').then(
      () => new Error('accepted'),
      (refusal: Error) => refusal,
    )
    expect(error.message).toBe('key.txt holds no private key of age: it is made by sandpiper backup-key')
    await expect(createDecrypter('# only a comment\n', 'key.txt')).rejects.toThrow('holds no private key')
  })
})

test('an error of the source stays what it is', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield sealed.subarray(0, 100_000)
    throw new Error('the connection broke')
  }

  await expect(
    collect(decrypt(await createDecrypter(ours.identity, 'key.txt'), broken(), 'a file')),
  ).rejects.toThrow('the connection broke')
  async function* failing(): AsyncGenerator<Buffer> {
    yield plain
    throw new Error('the database is gone')
  }
  await expect(collect(encrypt(await createEncrypter([ours.recipient]), failing()))).rejects.toThrow(
    'the database is gone',
  )
})

function changedAt(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
