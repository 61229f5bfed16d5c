/**
 * Bytes of documents in a backup: those in object storage are written among the pieces of the database, so that a restore
 * needs no bucket.
 */
import type pg from 'pg'
import { type Content, downloadContent, LostContentError, toChunks } from '../contents.ts'
import { copyOut, type LineSink } from '../copy-out.ts'
import type { S3Client } from '../s3-client.ts'
import { BackupError } from './manifest.ts'
import type { StoredTable } from './tables.ts'

export const contentTable = 'clinical.binary_chunk'

const listedRows = 1_000
/** Downloads under way at once. */
const ahead = 4

/** @throws BackupError when there are some and the bucket is not set */
export async function hasObjects(client: pg.Client, objects: S3Client | null): Promise<boolean> {
  // A database that is not migrated yet has no such column.
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM clinical.binary b WHERE to_jsonb(b) ->> 'stored_in' = 'object') AS found`,
  )
  const found = rows[0]?.found ?? false
  if (found && objects === null)
    throw new BackupError(
      'DOCUMENT_URL is missing: documents of this database are in object storage, and a backup holds them. Set it, and the ' +
        'variables S3_*, as for the server',
    )
  return found
}

type Copying = {
  client: pg.Client
  table: StoredTable
  objects: S3Client
  /** Called with the SHA-256 of a document whose bytes are missing. */
  onLost: (sha256: string) => void
}

/** In the order of the table's key: pieces of the database between one object and the next. */
export async function copyContents(
  { client, table, objects, onLost }: Copying,
  sink: LineSink,
): Promise<number> {
  const download = (content: Content) =>
    downloadContent(objects, content).catch((error: unknown) => {
      if (error instanceof LostContentError) return null
      throw error
    })
  let rows = 0
  let behind = 'true'
  for await (const { item, result } of beginAhead(listObjects(client), download)) {
    const sha256 = item.hash.toString('hex')
    rows += await copyOut(client, table.copyPart(`${behind} AND t.sha256 < decode('${sha256}', 'hex')`), sink)
    const bytes = await result
    if (bytes === null) onLost(sha256)
    else
      for (const chunk of toChunks(bytes)) {
        await sink(lineOf(table, sha256, chunk), 1)
        rows += 1
      }
    behind = `t.sha256 > decode('${sha256}', 'hex')`
  }
  return rows + (await copyOut(client, table.copyPart(behind), sink))
}

/** As PostgreSQL writes the row. */
function lineOf({ columns }: StoredTable, sha256: string, chunk: { ordinal: number; bytes: Buffer }): Buffer {
  const texts: Readonly<Record<string, string>> = {
    sha256: `\\x${sha256}`,
    ordinal: String(chunk.ordinal),
    bytes: `\\x${chunk.bytes.toString('hex')}`,
  }
  return Buffer.from(
    `${JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, texts[name]])))}\n`,
  )
}

async function* listObjects(client: pg.Client): AsyncGenerator<Content, void> {
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const { rows } = await client.query<Content>(
      `SELECT sha256 AS hash, size FROM clinical.binary WHERE stored_in = 'object' AND sha256 > $1
       ORDER BY sha256 LIMIT ${listedRows}`,
      [after],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < listedRows) return
    after = last.hash
  }
}

/** In order, each begun some places before its turn. */
async function* beginAhead<Item, Result>(
  items: AsyncIterable<Item>,
  begin: (item: Item) => Promise<Result>,
): AsyncGenerator<{ item: Item; result: Promise<Result> }, void> {
  const begun: { item: Item; result: Promise<Result> }[] = []
  for await (const item of items) {
    const result = begin(item)
    result.catch(() => {}) // reported in its turn
    begun.push({ item, result })
    if (begun.length > ahead) yield* begun.splice(0, 1)
  }
  yield* begun
}
