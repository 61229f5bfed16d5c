/** A backup made or opened by the environment and an address: a folder, or `s3://bucket/prefix`. */
import { readFile } from 'node:fs/promises'
import type { BackupEnv, Env } from '../env.ts'
import type { Keyring } from '../keyring.ts'
import { createDecrypter, createEncrypter } from '../store/backup/age-files.ts'
import { backUp, type OnProgress } from '../store/backup/back-up.ts'
import { BackupError, type Format, type Manifest } from '../store/backup/manifest.ts'
import {
  beginObjects,
  isBackupName,
  listBackups,
  openObjects,
  removeOlder,
} from '../store/backup/object-place.ts'
import { type BackupPlace, beginFolder, openFolder } from '../store/backup/place.ts'
import { type StoredProof, writeProof } from '../store/backup/stored-proof.ts'
import { prepareDatabaseUrls } from '../store/roles.ts'
import { servingUrls } from '../store/serving-urls.ts'
import { proveBackup } from './backup-proof.ts'
import { isObjectAddress, openBackupStorage, requireRecipients } from './backup-storage.ts'
import { readBuild } from './build-info.ts'
import { contentStorageOf } from './storage.ts'

type Making = {
  env: Env
  keyring: Keyring
  to: string
  format: Format | null
  /** Null: nothing is removed. */
  keepDays: number | null
  now: Date
  onProgress?: OnProgress
}

type Made = {
  name: string
  manifest: Manifest
  removed: readonly string[]
  /** Why older ones could not be removed. */
  kept: string | null
}

/** @throws BackupError, ObjectStorageError and errors of the database: then there is no new backup, and none is removed */
export async function makeBackup({
  env,
  keyring,
  to,
  format,
  keepDays,
  now,
  onProgress,
}: Making): Promise<Made> {
  const common = {
    keyIds: keyring.keyIds,
    program: readBuild().version,
    objects: contentStorageOf(env).objects,
    ...(onProgress && { onProgress }),
  }
  if (!isObjectAddress(to)) {
    const { ownerUrl } = await prepareDatabaseUrls({
      databaseUrl: env.DATABASE_URL,
      migrationUrl: env.DATABASE_MIGRATION_URL,
    })
    const made = await backUp({ ...common, url: ownerUrl, format, begin: () => beginFolder(to) })
    return { ...made, removed: [], kept: null }
  }
  const { client, address } = openBackupStorage(to, env)
  const encrypter = await createEncrypter(requireRecipients(env))
  const { directUrl: url } = await servingUrls(env)
  const begin = () => beginObjects({ client, encrypter, keyring, address, at: now })
  const made = await backUp({ ...common, url, format: 'portable', begin })
  if (keepDays === null) return { ...made, removed: [], kept: null }
  // A key that may not delete is no reason to be without a backup.
  return removeOlder(client, { days: keepDays, now, keyring }).then(
    (removed) => ({ ...made, removed, kept: null }),
    (error: Error) => ({ ...made, removed: [], kept: error.message }),
  )
}

type Reading = { env: BackupEnv; keyring: Keyring }

/** @throws BackupError naming what is missing or wrong */
export async function openBackup(from: string, { env, keyring }: Reading): Promise<BackupPlace> {
  if (!isObjectAddress(from)) return openFolder(from)
  const { folder, backup } = splitAddress(from)
  const { client, address } = openBackupStorage(folder, env)
  return openObjects({ client, decrypter: await openIdentity(env), keyring, address, backup })
}

/**
 * Restores a backup elsewhere, and notes beside it whether it is good.
 * @param from a backup, or a folder of backups for its newest
 * @throws BackupError and others when it cannot be tried: nothing is noted then
 */
export async function proveStored({
  from,
  now,
  onProgress,
  ...reading
}: Reading & { from: string; now: Date; onProgress?: OnProgress }): Promise<StoredProof & { name: string }> {
  const named = splitAddress(from)
  const { env, keyring } = reading
  const { client, address } = openBackupStorage(isBackupName(named.backup) ? named.folder : from, env)
  const backup = isBackupName(named.backup) ? named.backup : (await listBackups(client)).complete.at(-1)
  if (backup === undefined) throw new BackupError(`there is no complete backup below ${address}`)
  const place = openObjects({ client, decrypter: await openIdentity(env), keyring, address, backup })
  const proof = await proveBackup({ env, keyring, place, now, ...(onProgress && { onProgress }) })
  await writeProof(client, keyring, backup, proof)
  return { ...proof, name: place.name }
}

function splitAddress(from: string): { folder: string; backup: string } {
  const [, folder = '', backup = ''] = /^(.+)\/([^/]+)\/?$/.exec(from) ?? []
  return { folder, backup }
}

async function openIdentity({ BACKUP_IDENTITY_FILE: file }: BackupEnv) {
  if (!file)
    throw new BackupError(
      'BACKUP_IDENTITY_FILE is missing: a backup in object storage is encrypted. Set it to the file that sandpiper ' +
        'backup-key or age-keygen made',
    )
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`BACKUP_IDENTITY_FILE: ${file} cannot be read (${error.code})`)
  })
  return createDecrypter(text, file)
}
