/**
 * Backups in object storage, each file encrypted on its way there: `{time}/{file}.age`. A backup counts once its manifest
 * is there, which is written last. The keyring signs the manifest, because anybody may encrypt for a public key.
 */
import type { Decrypter, Encrypter } from 'age-encryption'
import type { Keyring } from '../../keyring.ts'
import type { S3Client } from '../s3-client.ts'
import { createObjectWriter } from '../s3-writer.ts'
import { decrypt, encrypt } from './age-files.ts'
import { BackupError, MANIFEST } from './manifest.ts'
import type { BackupDraft, BackupPlace } from './place.ts'
import { findLastProven } from './stored-proof.ts'

type Signing = Pick<Keyring, 'mac' | 'matchesMac' | 'keyIdOf' | 'keyIds'>

const SEAL = 'seal'
const sealContext = 'backup manifest'
const namePattern = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/
const keyPattern = /^(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z)\/(seal|proof|[a-z_.]+\.age)$/
const attempts = 5
const dayMs = 86_400_000

const keyOf = (backup: string, file: string) => `${backup}/${file}.age`

export const isBackupName = (text: string) => namePattern.test(text)

/** `2026-11-27T02-00-00Z`: sorted by name, they are sorted by time. */
function nameOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

export function timeOf(backup: string): Date {
  const [date = '', time = ''] = backup.split('T')
  return new Date(`${date}T${time.replaceAll('-', ':')}`)
}

/** @returns oldest first */
export async function listBackups(client: S3Client): Promise<{ complete: string[]; incomplete: string[] }> {
  const files = new Map<string, Set<string>>()
  for (const key of await client.list('')) {
    const [, backup, file] = keyPattern.exec(key) ?? []
    if (backup && file) files.set(backup, (files.get(backup) ?? new Set()).add(file))
  }
  const names = [...files.keys()].sort()
  const isComplete = (name: string) => files.get(name)?.has(`${MANIFEST}.age`) ?? false
  return { complete: names.filter(isComplete), incomplete: names.filter((name) => !isComplete(name)) }
}

type Begin = { client: S3Client; encrypter: Encrypter; keyring: Signing; address: string; at: Date }

/** Removes what killed runs left: the caller makes sure that no other one is under way. */
export async function beginObjects({ client, encrypter, keyring, address, at }: Begin): Promise<BackupDraft> {
  const { complete, incomplete } = await listBackups(client)
  const name = nameOf(at)
  if (complete.includes(name)) throw new BackupError(`${address}${name} is there already`)
  for (const { key, uploadId } of await client.listUploads(''))
    if (keyPattern.test(key)) await client.abortUpload(key, uploadId)
  for (const left of incomplete) await removeBackup(client, left)

  async function write(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const writer = createObjectWriter(client, keyOf(name, file))
    try {
      for await (const chunk of encrypt(encrypter, chunks)) await writer.write(chunk)
      await writer.finish()
    } catch (error) {
      await writer.abandon().catch(() => {}) // the next run removes it
      throw error
    }
  }

  return {
    name: address + name,
    folder: null,
    write,
    async keep(manifest) {
      const seal = Buffer.from(keyring.mac(manifest, sealContext)).toString('base64')
      await client.put(`${name}/${SEAL}`, Buffer.from(seal))
      await write(MANIFEST, chunksOf(manifest))
    },
    discard: () => removeBackup(client, name),
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'utf8')
}

type Open = { client: S3Client; decrypter: Decrypter; keyring: Signing; address: string; backup: string }

export function openObjects({ client, decrypter, keyring, address, backup }: Open): BackupPlace {
  const name = address + backup

  async function* read(file: string): AsyncGenerator<Buffer> {
    yield* decrypt(decrypter, download(client, keyOf(backup, file), name), file)
  }

  async function readManifest(): Promise<string> {
    if (!isBackupName(backup) || (await client.sizeOf(keyOf(backup, MANIFEST))) === null)
      throw new BackupError(
        `there is no backup in ${name}: it has no ${MANIFEST}.age, so it was never completed. ${await choices()}`,
      )
    const manifest = await textOf(read(MANIFEST))
    const seal = Buffer.from(await textOf(download(client, `${backup}/${SEAL}`, name)), 'base64')
    const keyId = keyring.keyIdOf(seal)
    if (keyId !== null && !keyring.keyIds.includes(keyId))
      throw new BackupError(
        `${name} is sealed with the key ${keyId}, which ENCRYPTION_KEYS does not hold: add the keys that were in use ` +
          'at the time of the backup',
      )
    if (!keyring.matchesMac(manifest, seal, sealContext))
      throw new BackupError(
        `${name} was changed, or made by another installation: its seal is not of ENCRYPTION_KEYS`,
      )
    return manifest
  }

  async function choices(): Promise<string> {
    const { complete } = await listBackups(client)
    return complete.length === 0
      ? `There is none below ${address}`
      : `The last ones: ${complete.slice(-5).join(', ')}`
  }

  return { name, folder: null, readManifest, read }
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString('utf8')
}

/** A connection that breaks is no end: it goes on where the bytes stopped. */
async function* download(client: S3Client, key: string, name: string): AsyncGenerator<Buffer> {
  const size = await client.sizeOf(key)
  if (size === null) throw new BackupError(`${name} lacks ${key.split('/').at(-1)}`)
  let at = 0
  for (let failures = 0; at < size; ) {
    try {
      const stream = await client.get(key, { first: at, last: size - 1 })
      for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>) {
        at += chunk.length
        failures = 0
        yield chunk
      }
      failures += 1
    } catch (error) {
      failures += 1
      if (failures >= attempts) throw error
    }
    if (at < size && failures >= attempts) throw new BackupError(`${key} ends after ${at} of ${size} bytes`)
  }
}

/** The manifest goes first: from then on it does not count, whatever happens. */
async function removeBackup(client: S3Client, backup: string): Promise<void> {
  const first = keyOf(backup, MANIFEST)
  await client.remove(first)
  for (const key of await client.list(`${backup}/`))
    if (keyPattern.test(key) && key !== first) await client.remove(key)
}

/**
 * Removes complete backups older than that many days, and never the last one, or the last that was proven.
 * @returns their names
 */
export async function removeOlder(
  client: S3Client,
  { days, now, keyring }: { days: number; now: Date; keyring: Pick<Keyring, 'matchesMac'> },
): Promise<string[]> {
  const { complete } = await listBackups(client)
  const isOld = (name: string) => timeOf(name).getTime() < now.getTime() - days * dayMs
  const old = complete.slice(0, -1).filter(isOld)
  const proven = old.length === 0 ? null : await findLastProven(client, keyring, complete)
  const removed = old.filter((name) => name !== proven?.backup)
  for (const name of removed) await removeBackup(client, name)
  return removed
}
