/** Where backups in object storage go, by the environment and an address such as `s3://bucket/prefix/`. */
import type { Env } from '../env.ts'
import { BackupError } from '../store/backup/manifest.ts'
import { parseObjectAddress } from '../store/object-address.ts'
import { createS3Client, type S3Client } from '../store/s3-client.ts'

type BackupStorageEnv = Pick<
  Env,
  | 'BACKUP_S3_ENDPOINT'
  | 'BACKUP_S3_REGION'
  | 'BACKUP_S3_ACCESS_KEY_ID'
  | 'BACKUP_S3_SECRET_ACCESS_KEY'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_ENCRYPTION'
>

export const isObjectAddress = (address: string) => address.startsWith('s3://')

/**
 * @param address of a folder of backups
 * @returns a client whose keys begin behind it, and the address with a slash at its end
 * @throws BackupError naming what is missing or wrong
 */
export function openBackupStorage(
  address: string,
  env: BackupStorageEnv,
): { client: S3Client; address: string } {
  const parsed = parseObjectAddress(address)
  if (parsed === null)
    throw new BackupError(
      `${address} is not an address such as s3://bucket/prefix, of letters, digits, - and _`,
    )
  const values = {
    ENDPOINT: env.BACKUP_S3_ENDPOINT ?? env.S3_ENDPOINT,
    ACCESS_KEY_ID: env.BACKUP_S3_ACCESS_KEY_ID ?? env.S3_ACCESS_KEY_ID,
    SECRET_ACCESS_KEY: env.BACKUP_S3_SECRET_ACCESS_KEY ?? env.S3_SECRET_ACCESS_KEY,
  }
  const { ENDPOINT: endpoint, ACCESS_KEY_ID: accessKeyId, SECRET_ACCESS_KEY: secretAccessKey } = values
  if (!endpoint || !accessKeyId || !secretAccessKey) {
    const missing = Object.entries(values).flatMap(([name, value]) => (value ? [] : [`BACKUP_S3_${name}`]))
    throw new BackupError(
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing: ${address} needs an endpoint and its keys`,
    )
  }
  const client = createS3Client({
    endpoint,
    ...parsed,
    region: env.BACKUP_S3_REGION ?? env.S3_REGION,
    accessKeyId,
    secretAccessKey,
    encryption: env.S3_ENCRYPTION,
  })
  return { client, address: `s3://${parsed.bucket}/${parsed.prefix}` }
}

/** @throws BackupError: without a recipient, everybody who can read the bucket could read personal data */
export function requireRecipients({
  BACKUP_RECIPIENT: recipients,
}: Pick<Env, 'BACKUP_RECIPIENT'>): readonly string[] {
  if (recipients) return recipients
  throw new BackupError(
    'BACKUP_RECIPIENT is missing: a backup in object storage is always encrypted. Make a key pair with ' +
      'sandpiper backup-key --out FILE, keep the file away from this server, and set BACKUP_RECIPIENT to the public key',
  )
}
