/** Which format fits: PostgreSQL's own when its programs are at hand and new enough, else ours. */
import { BackupError, type Format, type Manifest } from './manifest.ts'

/** Major versions; null: there is no such program on the PATH. */
export interface Programs {
  readonly pgDump: number | null
  readonly pgRestore: number | null
}

/**
 * @param server major version of the database
 * @param wanted null: whatever fits
 * @throws BackupError when the wanted one does not fit
 */
export function chooseFormat(programs: Programs, server: number, wanted: Format | null): Format {
  const reason = unfitToDump(programs, server)
  if (wanted === 'custom' && reason) throw new BackupError(`--format custom: ${reason}`)
  if (wanted) return wanted
  return reason ? 'portable' : 'custom'
}

/** @throws BackupError when another one is wanted: pg_dump copies no bytes of a bucket */
export function requirePortable(wanted: Format | null): 'portable' {
  if (wanted === 'custom')
    throw new BackupError(
      '--format custom: documents are in object storage, and pg_dump copies none of them; use --format portable',
    )
  return 'portable'
}

/** Why pg_dump cannot be used; null: it can. */
export function unfitToDump({ pgDump, pgRestore }: Programs, server: number): string | null {
  if (pgDump === null || pgRestore === null)
    return 'pg_dump and pg_restore of PostgreSQL are not on the PATH; --format portable needs neither'
  if (pgDump < server)
    return `pg_dump ${pgDump} is older than the database, which is ${server}; --format portable needs none`
  if (pgRestore < pgDump) return `pg_restore ${pgRestore} cannot read what pg_dump ${pgDump} writes`
  return null
}

/** @throws BackupError when this backup cannot be restored on that server */
export function requireReadable(
  { format, pgDump, postgresql }: Manifest,
  programs: Programs,
  server: number,
): void {
  if (format === 'portable') return
  const needed = pgDump ?? 0
  if (programs.pgRestore === null)
    throw new BackupError(`the backup is in PostgreSQL’s own format: pg_restore ${needed} or newer is needed`)
  if (programs.pgRestore < needed)
    throw new BackupError(
      `pg_restore ${programs.pgRestore} cannot read what pg_dump ${needed} wrote; use ${needed} or newer`,
    )
  if (server < Math.max(postgresql, needed))
    throw new BackupError(
      `the backup is in the format of PostgreSQL ${Math.max(postgresql, needed)}, this database is ${server}: ` +
        'to go to an older server, make one with --format portable',
    )
}
