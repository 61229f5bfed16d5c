/** The command `sandpiper move-documents`, which moves the contents of all documents to one place. */
import { parseArgs } from 'node:util'
import type { Services } from '../services.ts'
import type { OnMoved } from '../store/move-contents.ts'
import type { ContentPlace } from '../store/s3-client.ts'
import { UsageError } from './run-command.ts'

const places: Readonly<Record<string, { place: ContentPlace; name: string }>> = {
  s3: { place: 'object', name: 'object storage' },
  database: { place: 'database', name: 'the database' },
}

/** @throws UsageError, and TypeError of the parser for an unknown option */
export function readCommand(args: readonly string[]): { to: string } {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } })
  const { to = '' } = values
  if (!Object.hasOwn(places, to)) throw new UsageError('--to s3 or --to database is needed; see --help')
  return { to }
}

/**
 * @returns lines about the result, and exit code 3 if some contents are missing or damaged
 * @throws UsageError without DOCUMENT_URL
 */
export async function moveDocuments(
  { env, store }: Pick<Services, 'env' | 'store'>,
  { to }: { to: string },
  onMoved?: OnMoved,
): Promise<{ lines: string[]; exitCode: 0 | 3 }> {
  if (env.DOCUMENT_URL === undefined)
    throw new UsageError('DOCUMENT_URL is missing: set it, and the variables S3_*, as for the server')
  const { place = 'database', name = '' } = places[to] ?? {}
  const { contents, bytes, lost } = await store.documents.move(place, onMoved)
  const counts = await store.documents.count()
  const lines = [
    `moved to ${name}: ${describeContents({ contents, bytes })}`,
    `object storage:  ${describeContents(counts.object)}`,
    `database:        ${describeContents(counts.database)}`,
  ]
  if (lost > 0)
    lines.push(
      `not moved:       ${number(lost)}, whose bytes are missing or damaged. Bring the objects back from an earlier version ` +
        'of the bucket, or restore a backup elsewhere, then run this again',
    )
  if (env.DOCUMENT_STORAGE !== to)
    lines.push(`New documents still go to the other place: set DOCUMENT_STORAGE=${to} and restart the server`)
  return { lines, exitCode: lost > 0 ? 3 : 0 }
}

const number = (value: number) => value.toLocaleString('en-US')

/** Counts contents, because equal documents share one. */
export const describeContents = ({ contents, bytes }: { contents: number; bytes: number }): string =>
  `${number(contents)} files of documents, ${(bytes / 1_000_000).toFixed(1)} MB`
