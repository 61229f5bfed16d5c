/** Whether the objects with old months of the record of access are all there. */
import type pg from 'pg'
import { mayArchive } from '../audit/archive-months.ts'
import type { S3Client } from '../store/s3-client.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const page = 'docs/operations/object-storage.md'

export async function checkArchive(
  pool: Pick<pg.Pool, 'query'>,
  storage: Pick<S3Client, 'list'> | null,
): Promise<Finding> {
  const name = 'access archive'
  const known = await pool
    .query<{ key: string }>('SELECT DISTINCT key FROM log.access_archive ORDER BY key')
    .then(({ rows }) => rows.map(({ key }) => key))
    .catch(() => null)
  if (known === null) return warning(name, 'cannot be looked at', 'Migrate, then run this again')
  if (storage === null)
    return known.length === 0
      ? ok(name, 'old months stay in the database: LOG_ARCHIVE_URL is not set')
      : fault(name, `${known.length} objects cannot be read: LOG_ARCHIVE_URL is not set`, 'Set it as it was')
  try {
    const found = new Set(await storage.list(''))
    const missing = known.filter((key) => !found.has(key))
    if (missing.length > 0)
      return fault(
        name,
        `${missing.length} of ${known.length} objects are missing, the first is ${missing[0]}`,
        `Restore them from a version or a replica of the bucket, then run sandpiper audit-verify: ${page}`,
      )
    const others = [...found].filter((key) => key.endsWith('.ndjson.gz')).length - known.length
    if (others > 0)
      return warning(
        name,
        `the bucket has ${others} objects that the database does not know`,
        `A run that was killed left them, or the database is from an older backup: ${page}`,
      )
    if (!(await mayArchive(pool)))
      return fault(name, 'the server may not archive', 'Run sandpiper migrate with LOG_ARCHIVE_URL set')
    const months = new Set(known.map((key) => key.split('/')[0]))
    return ok(
      name,
      `${known.length} objects of ${months.size} months; backups hold their list, not the objects`,
    )
  } catch (error) {
    return fault(name, (error as Error).message, `Check LOG_ARCHIVE_URL and the variables S3_*: ${page}`)
  }
}
