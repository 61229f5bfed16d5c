/** The options of `sandpiper backup` and `sandpiper restore`, and the lines they print. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeVerdict } from '../audit/describe-verdict.ts'
import type { Env } from '../env.ts'
import { KeyringError } from '../keyring.ts'
import type { Services } from '../services.ts'
import { isObjectAddress } from '../start/backup-storage.ts'
import { findKeyringProblems } from '../start/keyring-proof.ts'
import type { OnProgress } from '../store/backup/back-up.ts'
import { BackupError, type Format, formats, type Manifest } from '../store/backup/manifest.ts'

export type BackupCommand =
  | { step: 'backup'; to: string | null; format: Format | null; keepDays: number | null }
  | { step: 'restore'; from: string; replace: boolean }
  | { step: 'prove'; from: string | null }
  | { step: 'key'; out: string }

const number = (value: number) => value.toLocaleString('en-US')

/** @throws BackupError, and TypeError of the parser for options there are not */
export function readCommand([step, ...args]: readonly string[]): BackupCommand {
  if (step === 'backup') {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { to: text, format: text, keep: text } })
    const format = formats.find((each) => each === values.format) ?? null
    if (values.format && !format) throw new BackupError(`--format is one of ${formats.join(', ')}`)
    const keepDays = values.keep === undefined ? null : Number(values.keep)
    if (keepDays !== null && !(Number.isInteger(keepDays) && keepDays > 0))
      throw new BackupError('--keep is a number of days, 1 or more')
    return { step, to: values.to ?? null, format, keepDays }
  }
  if (step === 'restore') {
    const { values } = parseArgs({
      args,
      options: { from: { type: 'string' }, replace: { type: 'boolean' } },
    })
    if (!values.from)
      throw new BackupError('--from FOLDER or --from s3://bucket/prefix/NAME is needed; see --help')
    const from = isObjectAddress(values.from) ? values.from : resolve(values.from)
    return { step, from, replace: values.replace ?? false }
  }
  if (step === 'prove') {
    const { values } = parseArgs({ args, options: { from: { type: 'string' } } })
    if (values.from !== undefined && !isObjectAddress(values.from))
      throw new BackupError('--from is an address such as s3://bucket/prefix')
    return { step, from: values.from ?? null }
  }
  if (step === 'key') {
    const { values } = parseArgs({ args, options: { out: { type: 'string' } } })
    if (!values.out) throw new BackupError('--out FILE is needed; see --help')
    return { step, out: resolve(values.out) }
  }
  throw new BackupError(`unknown command ${step ?? ''}`)
}

/**
 * Where a backup goes, by its options and the environment.
 * @throws BackupError when they do not fit
 */
export function chooseTarget(
  { to: given, format, keepDays }: Omit<Extract<BackupCommand, { step: 'backup' }>, 'step'>,
  { BACKUP_URL, BACKUP_KEEP_DAYS }: Pick<Env, 'BACKUP_URL' | 'BACKUP_KEEP_DAYS'>,
): { to: string; format: Format | null; keepDays: number | null } {
  const to = given ?? BACKUP_URL
  if (!to) throw new BackupError('--to FOLDER or --to s3://bucket/prefix is needed; see --help')
  if (!isObjectAddress(to)) {
    if (keepDays !== null) throw new BackupError('--keep is for backups in object storage')
    return { to: resolve(to), format, keepDays: null }
  }
  if (format === 'custom')
    throw new BackupError(
      '--format custom: pg_dump writes to a folder; object storage gets the portable format',
    )
  return { to, format: 'portable', keepDays: keepDays ?? BACKUP_KEEP_DAYS ?? null }
}

/** Null: it is complete. */
export function describeLost({ lost = [] }: Manifest): string | null {
  if (lost.length === 0) return null
  return (
    `The backup lacks the bytes of ${number(lost.length)} documents, which are missing in object storage ` +
    `(SHA-256 ${lost[0]}${lost.length > 1 ? ', …' : ''}). Bring the objects back from an earlier version of the bucket.`
  )
}

export function describeBackup(manifest: Manifest): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const files = [manifest.dump, manifest.jobs.file, ...manifest.tables.map(({ file }) => file)]
  const megabytes = files.reduce((sum, file) => sum + (file?.bytes ?? 0), 0) / 1_000_000
  return (
    `${number(rows)} rows in ${manifest.tables.length} tables, ${number(manifest.jobs.count)} waiting jobs, ` +
    `${megabytes.toFixed(1)} MB, ${manifest.format} format, as of ${manifest.createdAt}`
  )
}

/**
 * Whether restored data is whole and usable: the audit chain, and ENCRYPTION_KEYS, without which the server
 * refuses to start on it.
 */
export async function checkRestored({
  sealer,
  pool,
  keyring,
}: Pick<Services, 'sealer' | 'pool' | 'keyring'>): Promise<{ lines: string[]; exitCode: 0 | 3 | 4 }> {
  const verdict = await sealer.verify()
  const problems = await findKeyringProblems({ pool, keyring })
  const chain = [
    ...describeVerdict(verdict).map((line) => `audit chain: ${line}`),
    ...(verdict.intact
      ? []
      : [
          'The database lacks rows that were written after the backup, and the head folders show it. Before the server starts, ' +
            'copy the head folders here if this is a different machine, then record the restore with audit-accept (npm run audit:accept).',
        ]),
  ]
  const keys = problems.length === 0 ? [] : [new KeyringError(problems).message]
  // Without its keys the chain cannot be checked.
  return { lines: [...chain, ...keys], exitCode: problems.length > 0 ? 4 : verdict.intact ? 0 : 3 }
}

/** A line for people that is written over; for logs, one line a table that is worth one. */
export function progressLine(output: NodeJS.WriteStream): { on: OnProgress; end: () => void } {
  let shown = ''
  return {
    on: ({ table, rows, finished, of }) => {
      const line = `${finished + 1} of ${of}: ${table}, ${number(rows)} rows`
      if (output.isTTY) output.write(`\r\x1b[2K${line}`)
      else if (table !== shown && rows > 10_000) output.write(`${line} …\n`)
      if (rows > 10_000) shown = table
    },
    end: () => {
      if (output.isTTY) output.write('\r\x1b[2K')
    },
  }
}
