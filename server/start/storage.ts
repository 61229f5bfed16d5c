/** Where the files of exports, the bytes of documents and old months of the record of access go, by the environment. */
import { resolve } from 'node:path'
import type { StorageSettings } from '../domain/bulk-exports/export-storage.ts'
import type { Env } from '../env.ts'
import { type ContentStorage, inDatabase } from '../store/content-storage.ts'
import { parseObjectAddress } from '../store/object-address.ts'
import { createS3Client, type S3Client } from '../store/s3-client.ts'

/** A reader of a document does not wait longer for its first byte. */
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

/** Null without LOG_ARCHIVE_URL: nothing is archived, and what was can't be read. */
export function openArchiveStorage(env: Env): S3Client | null {
  const storage = storageOf(env)
  const address = parseObjectAddress(env.LOG_ARCHIVE_URL ?? '')
  return address === null || storage.kind === 'folder'
    ? null
    : createS3Client({ ...storage.settings, ...address })
}
