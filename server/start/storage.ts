/** Where the files of exports go, by the environment. */
import { resolve } from 'node:path'
import type { StorageSettings } from '../domain/bulk-exports/open-storage.ts'
import type { Env } from '../env.ts'

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
