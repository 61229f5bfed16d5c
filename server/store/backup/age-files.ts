/**
 * Encryption for people who hold a key elsewhere, in the format of https://age-encryption.org/v1 . Whoever encrypts needs
 * the public key only, and reads nothing back. Chunks are authenticated one by one, and the last one as the last.
 */
import { ReadableStream } from 'node:stream/web'
import type { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './manifest.ts'

/** Loaded by those who encrypt. */
const age = () => import('age-encryption')

export type KeyPair = { recipient: string; identity: string }

export async function createKeyPair(): Promise<KeyPair> {
  const { generateX25519Identity, identityToRecipient } = await age()
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** @throws BackupError when one of them is mistyped */
export async function createEncrypter(recipients: readonly string[]): Promise<Encrypter> {
  const encrypter = new (await age()).Encrypter()
  for (const [at, recipient] of recipients.entries())
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new BackupError(
        `BACKUP_RECIPIENT: key ${at + 1} is not a public key of age: write it as sandpiper backup-key printed it`,
      )
    }
  return encrypter
}

/**
 * @param text of an identity file: a key a line, and comments
 * @throws BackupError that names the file, and no key
 */
export async function createDecrypter(text: string, file: string): Promise<Decrypter> {
  const decrypter = new (await age()).Decrypter()
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const refuse = () =>
    new BackupError(`${file} holds no private key of age: it is made by sandpiper backup-key`)
  if (lines.length === 0) throw refuse()
  for (const line of lines)
    try {
      decrypter.addIdentity(line)
    } catch {
      throw refuse()
    }
  return decrypter
}

export async function* encrypt(
  encrypter: Encrypter,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* toChunks(await encrypter.encrypt(toStream(chunks)))
}

/** @throws BackupError when the bytes were encrypted for others, cut off or changed, before any of the bytes that were */
export async function* decrypt(
  decrypter: Decrypter,
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Buffer> {
  // An error of the source is no sign of a changed file.
  let ofSource: unknown
  const watched = async function* () {
    try {
      yield* chunks
    } catch (error) {
      ofSource = error
      throw error
    }
  }
  try {
    for await (const chunk of toChunks(await decrypter.decrypt(toStream(watched()))))
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  } catch (error) {
    if (ofSource !== undefined) throw ofSource
    const { message } = error as Error
    throw new BackupError(
      message.includes('no identity matched')
        ? `${name} is encrypted for another key: no key of BACKUP_IDENTITY_FILE opens it`
        : `${name} was cut off or changed: it cannot be decrypted`,
      { cause: error },
    )
  }
}

/** The streams of Node and of browsers are one, and have two types. */
const toStream = (chunks: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(chunks) as unknown as globalThis.ReadableStream<Uint8Array>
const toChunks = (stream: globalThis.ReadableStream<Uint8Array>) =>
  stream as unknown as ReadableStream<Uint8Array>
