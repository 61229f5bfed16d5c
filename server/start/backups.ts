/** A backup made or opened by the environment and an address: a folder, or `s3://bucket/prefix`. */
import { readFile } from 'node:fs/promises'
import type { Env } from '../env.ts'
import type { Keyring } from '../keyring.ts'
import { createDecrypter, createEncrypter } from '../store/backup/age-files.ts'
import { backUp, type OnProgress } from '../store/backup/back-up.ts'
import { BackupError, type Format, type Manifest } from '../store/backup/manifest.ts'
import { beginObjects, openObjects, removeOlder } from '../store/backup/object-place.ts'
import { type BackupPlace, beginFolder, openFolder } from '../store/backup/place.ts'
import { prepareDatabaseUrls, servingUrl } from '../store/roles.ts'
import { isObjectAddress, openBackupStorage, requireRecipients } from './backup-storage.ts'
import { readBuild } from './build-info.ts'

type Making = {
  env: Env
  keyring: Keyring
  to: string
  format: Format | null
  /** Null: nothing is removed. */
  keepDays: number | null
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
export async function makeBackup({ env, keyring, to, format, keepDays, onProgress }: Making): Promise<Made> {
  const common = { keyIds: keyring.keyIds, program: readBuild().version, ...(onProgress && { onProgress }) }
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
  const url = await servingUrl(env.DATABASE_URL)
  const begin = () => beginObjects({ client, encrypter, keyring, address, at: new Date() })
  const made = await backUp({ ...common, url, format: 'portable', begin })
  if (keepDays === null) return { ...made, removed: [], kept: null }
  // A key that may not delete is no reason to be without a backup.
  return removeOlder(client, { days: keepDays, now: new Date() }).then(
    (removed) => ({ ...made, removed, kept: null }),
    (error: Error) => ({ ...made, removed: [], kept: error.message }),
  )
}

/** @throws BackupError naming what is missing or wrong */
export async function openBackup(
  from: string,
  { env, keyring }: { env: Env; keyring: Keyring },
): Promise<BackupPlace> {
  if (!isObjectAddress(from)) return openFolder(from)
  const [, folder = '', backup = ''] = /^(.+)\/([^/]+)\/?$/.exec(from) ?? []
  const { client, address } = openBackupStorage(folder, env)
  return openObjects({ client, decrypter: await openIdentity(env), keyring, address, backup })
}

async function openIdentity({ BACKUP_IDENTITY_FILE: file }: Pick<Env, 'BACKUP_IDENTITY_FILE'>) {
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
