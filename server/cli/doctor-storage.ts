/** What `sandpiper doctor` says of object storage: the bucket of exports, and where documents are. */
import type pg from 'pg'
import type { Env } from '../env.ts'
import { contentStorageOf, storageOf } from '../start/storage.ts'
import { createS3Client, type S3Client } from '../store/s3-client.ts'
import { createStore } from '../store/store.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { describeContents } from './move-documents-command.ts'

const page = 'docs/operations/object-storage.md'
/** Objects that are looked for. */
const sampleRows = 20

export async function checkExportBucket(env: Env): Promise<Finding[]> {
  const name = 'export bucket'
  const storage = storageOf(env)
  if (storage.kind === 'folder') return []
  const { bucket } = storage.settings
  const reason = await findReason(createS3Client(storage.settings))
  return [
    reason === null
      ? ok(name, `${bucket} answers`)
      : fault(name, `${bucket}: ${reason}`, `Check the variables S3_*: ${page}`),
  ]
}

export async function checkDocuments(pool: pg.Pool, env: Env): Promise<Finding> {
  const name = 'documents'
  const contents = contentStorageOf(env)
  const { documents } = createStore({ pool, clock: () => new Date(), contents })
  // Before the first migration there are none; that is said elsewhere.
  const counts = await documents.count().catch(() => null)
  if (counts === null) return warning(name, 'cannot be counted', 'Migrate, then run this again')
  const places = [
    `in the database ${describeContents(counts.database)}`,
    ...(contents.objects || counts.object.contents > 0
      ? [`in object storage ${describeContents(counts.object)}`]
      : []),
  ].join('; ')
  if (contents.objects === null)
    return counts.object.contents > 0
      ? fault(name, `${places}, and DOCUMENT_URL is not set`, `Set it to where they are: ${page}`)
      : ok(name, places)
  const reason = (await findReason(contents.objects)) ?? (await documents.findForeignOwner())
  if (reason !== null)
    return fault(name, `${places}; ${reason}`, `Check DOCUMENT_URL and the variables S3_*: ${page}`)
  const missing = await countMissing(pool, contents.objects)
  if (missing > 0)
    return fault(
      name,
      `${places}; ${missing} of ${sampleRows} objects are missing`,
      `Bring them back from an earlier version of the bucket: ${page}`,
    )
  return ok(name, `${places}; the bucket answers; new ones go to ${env.DOCUMENT_STORAGE}`)
}

/** Null: it answers. */
async function findReason(client: S3Client): Promise<string | null> {
  try {
    await client.pages('').next()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

async function countMissing(pool: pg.Pool, objects: S3Client): Promise<number> {
  const { rows } = await pool.query<{ key: string; size: number }>(
    `SELECT encode(sha256, 'hex') AS key, size FROM clinical.binary WHERE stored_in = 'object'
     ORDER BY created_at DESC LIMIT ${sampleRows}`,
  )
  const sizes = await Promise.all(rows.map(({ key }) => objects.sizeOf(key)))
  return rows.filter(({ size }, at) => sizes[at] !== size).length
}
