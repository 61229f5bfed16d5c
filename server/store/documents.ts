/**
 * Bytes of documents. A content is stored once, under its SHA-256, in pieces; each attachment of each dataset
 * refers to it, and contents that nobody refers to are swept away.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { StoreCore } from './core.ts'
import { checkWritable, openDataset } from './dataset-lock.ts'
import { type Liveness, livenessSql, liveRow, noLiveness } from './liveness.ts'
import { lockContents } from './locks.ts'
import { noDataset } from './statements.ts'

/** One attachment of a stored resource. */
export interface AttachmentAddress {
  readonly type: FhirType
  readonly id: string
  /** Place among the attachments of the resource; 0 when left out. */
  readonly ordinal?: number
}

export interface StoredDocument {
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
  /** Piece by piece, each read when it is asked for; of a part, both of whose ends belong to it, or of all. */
  readonly bytes: (part?: { readonly first: number; readonly last: number }) => AsyncGenerator<Buffer, void>
}

/** An attachment without its bytes. */
interface ListedAttachment extends Required<AttachmentAddress> {
  readonly contentType: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

export const documentBytesMax = 20_000_000
const chunkBytes = 262_144
const listedRows = 1_000

/**
 * Stores a content and refers to it, in place of what the attachment held before.
 * @throws Problem `payload_too_large` over 20 MB, `conflict` when the dataset is read-only
 */
export async function putDocument(
  core: StoreCore,
  datasetId: number,
  { type, id, ordinal = 0 }: AttachmentAddress,
  contentType: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { liveness = noLiveness }: { liveness?: Liveness } = {},
): Promise<{ alive: boolean; sha256: string; size: number }> {
  const { run, transaction } = core.statements
  const content = await gather(bytes)
  const hash = createHash('sha256').update(content).digest()
  const stored = { sha256: hash.toString('hex'), size: content.length }
  return transaction(async (client) => {
    const opened = await openDataset(run, datasetId, liveness, client)
    if (!opened.alive) return { alive: false, ...stored }
    checkWritable(opened)
    await run(datasetId, lockContents('shared'), client)
    await insertContent(core, datasetId, hash, content, client)
    await run(
      datasetId,
      {
        name: 'document:refer',
        text: `INSERT INTO clinical.attachment (dataset_id, type, id, ordinal, content_type, sha256)
                 VALUES ($1, $2, $3, $4, $5, $6)
                 ON CONFLICT (dataset_id, type, id, ordinal)
                 DO UPDATE SET content_type = excluded.content_type, sha256 = excluded.sha256`,
        values: [datasetId, fhirTypeNumbers[type], id, ordinal, contentType, hash],
      },
      client,
    )
    return { alive: true, ...stored }
  })
}

async function insertContent(
  core: StoreCore,
  datasetId: number,
  hash: Buffer,
  content: Buffer,
  client: pg.PoolClient,
): Promise<void> {
  const { run } = core.statements
  const { clock } = core
  const { rowCount } = await run(
    datasetId,
    {
      name: 'document:content',
      text: `INSERT INTO clinical.binary (sha256, size, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      values: [hash, content.length, clock()],
    },
    client,
  )
  if (rowCount === 0) return
  for (let ordinal = 0; ordinal * chunkBytes < content.length; ordinal += 1) {
    await run(
      datasetId,
      {
        name: 'document:chunk',
        text: 'INSERT INTO clinical.binary_chunk (sha256, ordinal, bytes) VALUES ($1, $2, $3)',
        values: [hash, ordinal, content.subarray(ordinal * chunkBytes, (ordinal + 1) * chunkBytes)],
      },
      client,
    )
  }
}

/**
 * The bytes of an attachment of a resource that is there, null when there are none. Whether the caller may see
 * the resource is decided before, by finding it.
 */
export async function findDocument(
  core: StoreCore,
  datasetId: number,
  { type, id, ordinal = 0 }: AttachmentAddress,
  liveness: Liveness,
): Promise<{ alive: boolean; document: StoredDocument | null }> {
  const { run } = core.statements
  const live = livenessSql(liveness, 4)
  const { rows } = await run<{ alive: boolean; contentType: string | null; hash: Buffer; size: number }>(
    datasetId,
    {
      name: `document:find:${live.kind}`,
      text: `SELECT live.ok AS alive, q.content_type AS "contentType", q.sha256 AS hash, q.size
               FROM ${liveRow(live)}
               LEFT JOIN LATERAL (
                 SELECT a.content_type, a.sha256, b.size
                 FROM clinical.attachment a JOIN clinical.binary b USING (sha256)
                 JOIN clinical.resource r USING (dataset_id, type, id)
                 WHERE a.dataset_id = $1 AND a.type = $2 AND a.id = $3 AND a.ordinal = $4 AND NOT r.deleted AND live.ok
               ) q ON true`,
      values: [datasetId, fhirTypeNumbers[type], id, ordinal, ...live.values],
    },
  )
  const row = rows[0]
  if (!row || row.contentType === null) return { alive: row?.alive ?? false, document: null }
  const { contentType, hash, size } = row
  return {
    alive: true,
    document: {
      contentType,
      size,
      sha256: hash.toString('hex'),
      bytes: ({ first, last } = { first: 0, last: size - 1 }) => chunks(core, datasetId, hash, first, last),
    },
  }
}

/** Every attachment of every resource that is there, in the order of their addresses. */
export async function* listAttachments(
  core: StoreCore,
  datasetId: number,
): AsyncGenerator<ListedAttachment, void> {
  const { run } = core.statements
  let last = { number: 0, id: '', ordinal: -1 }
  for (;;) {
    const { rows } = await run<{
      number: number
      id: string
      ordinal: number
      contentType: string
      hash: Buffer
    }>(datasetId, {
      name: 'document:list',
      text: `SELECT a.type AS number, a.id, a.ordinal, a.content_type AS "contentType", a.sha256 AS hash
               FROM clinical.attachment a JOIN clinical.resource r USING (dataset_id, type, id)
               WHERE a.dataset_id = $1 AND (a.type, a.id, a.ordinal) > ($2, $3, $4) AND NOT r.deleted
               ORDER BY a.type, a.id, a.ordinal LIMIT ${listedRows}`,
      values: [datasetId, last.number, last.id, last.ordinal],
    })
    for (const { number, id, ordinal, contentType, hash } of rows) {
      yield { type: fhirTypeOf(number), id, ordinal, contentType, sha256: hash.toString('hex') }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < listedRows) return
    last = end
  }
}

async function* chunks(
  core: StoreCore,
  datasetId: number,
  hash: Buffer,
  first: number,
  last: number,
): AsyncGenerator<Buffer, void> {
  const { run } = core.statements
  for (let ordinal = Math.floor(first / chunkBytes); ordinal * chunkBytes <= last; ordinal += 1) {
    const { rows } = await run<{ bytes: Buffer }>(datasetId, {
      name: 'document:read',
      text: 'SELECT bytes FROM clinical.binary_chunk WHERE sha256 = $1 AND ordinal = $2',
      values: [hash, ordinal],
    })
    const bytes = rows[0]?.bytes
    if (bytes === undefined) throw new Error('a piece of the document was removed while it was read')
    const start = ordinal * chunkBytes
    yield bytes.subarray(Math.max(0, first - start), last - start + 1)
  }
}

/** Removes the contents that no dataset refers to any more. @returns how many */
export function sweepDocuments(core: StoreCore): Promise<number> {
  const { run, transaction } = core.statements
  return transaction(
    async (client) => {
      await run(noDataset, lockContents('alone'), client)
      const { rowCount } = await run(
        0,
        {
          name: 'document:sweep',
          text: `DELETE FROM clinical.binary b
                   WHERE NOT EXISTS (SELECT 1 FROM clinical.attachment a WHERE a.sha256 = b.sha256)`,
          values: [],
        },
        client,
      )
      return rowCount ?? 0
    },
    { statementTimeoutMs: 0 },
  )
}

async function gather(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    size += piece.length
    if (size > documentBytesMax) {
      throw new Problem('payload_too_large', { detail: `a document over ${documentBytesMax} bytes` })
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
