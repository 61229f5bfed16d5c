/** The folders that a process writes to. Each is tested with a file at start. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { StorageSettings } from '../domain/bulk-exports/export-storage.ts'
import type { Env } from '../env.ts'
import { EnvironmentError } from '../environment-error.ts'
import { makeFolder } from '../store/make-folder.ts'
import { type ContentStorage, createS3Client, inDatabase, parseObjectAddress } from '../store/s3-client.ts'

/** Errors that last until an operator fixes them. A full disk is not one: an alert reports it, and jobs continue. */
const lastingFaults = /^(EACCES|EEXIST|ELOOP|ENAMETOOLONG|ENOENT|ENOTDIR|EPERM|EROFS)$/

/** Creates the folder if it is missing, and writes and removes a file. */
export async function tryFolder(folder: string): Promise<void> {
  const file = join(folder, `.sandpiper-${randomUUID()}`)
  await makeFolder(folder, 0o700)
  await writeFile(file, 'x')
  await rm(file)
}

/** @throws EnvironmentError for folders in which this process could not write */
export async function proveFolders(env: Env): Promise<void> {
  // The other roles only read and remove files.
  if (env.ROLE !== 'worker' && env.ROLE !== 'all') return
  const { AUDIT_HEADS_DIR, AUDIT_HEADS_SECOND_DIR, DATA_DIR, EXPORT_DIR } = env
  const folders: Record<string, string | undefined> = {
    EXPORT_DIR: storageOf(env).kind === 'folder' ? EXPORT_DIR : undefined,
    AUDIT_HEADS_DIR,
    AUDIT_HEADS_SECOND_DIR,
  }
  const unset = new Set([join(DATA_DIR, 'exports'), join(DATA_DIR, 'audit-heads')])
  const problems: string[] = []
  for (const [name, folder] of Object.entries(folders)) {
    if (folder === undefined) continue
    const problem = await findProblem(resolve(folder))
    const settings = unset.has(folder) ? `${name}, or DATA_DIR,` : name
    if (problem !== null)
      problems.push(`${name} is ${problem}. Set ${settings} to a folder that the server’s user may write to`)
  }
  if (problems.length > 0) throw new EnvironmentError(problems)
}

async function findProblem(folder: string): Promise<string | null> {
  try {
    await tryFolder(folder)
    return null
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return lastingFaults.test(code) ? `${folder}, which cannot be made or written (${message})` : null
  }
}

// The storage for exports and documents, from the settings.

/** The longest time that a reader waits for the first byte of a document. */
const documentRequestMs = 15_000

export function storageOf(env: Env): StorageSettings {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint } = env
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!(bucket && endpoint && accessKeyId && secretAccessKey))
    return { kind: 'folder', folder: resolve(env.EXPORT_DIR) }
  const { S3_PREFIX: prefix, S3_REGION: region, S3_ENCRYPTION: encryption } = env
  return {
    kind: 's3',
    settings: { endpoint, bucket, prefix, region, encryption, accessKeyId, secretAccessKey },
  }
}

export function contentStorageOf(env: Env): ContentStorage {
  const storage = storageOf(env)
  const address = parseObjectAddress(env.DOCUMENT_URL ?? '')
  if (address === null || storage.kind === 'folder') return inDatabase
  const settings = { ...storage.settings, ...address }
  return {
    place: env.DOCUMENT_STORAGE === 's3' ? 'object' : 'database',
    objects: createS3Client(settings, { requestMs: documentRequestMs }),
    owner: env.PUBLIC_ORIGIN,
  }
}
