/**
 * Stores documents. Their bytes, the content, are stored once for each SHA-256, in the database or in a bucket
 * (contents.ts). The attachments of all datasets refer to them. Unreferenced ones are deleted (sweep-contents.ts).
 */
import { createHash } from 'node:crypto'
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import { ensureObject, findPlace, insertChunks, readContent, requireOwner } from './contents.ts'
import type { StoreCore } from './core.ts'
import { checkWritable, openDataset } from './dataset-lock.ts'
import { type Liveness, livenessSql, liveRow, noLiveness } from './liveness.ts'
import { lockContents, lockObject } from './locks.ts'
import type { ContentPlace } from './s3-client.ts'
import type { Run } from './statements.ts'

/** One attachment of a stored resource. */
export interface AttachmentAddress {
  readonly type: FhirType
  readonly id: string
  /** Index among the attachments of the resource; 0 by default. */
  readonly ordinal?: number
}

export interface StoredDocument {
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
  /** Streams the whole document, or the bytes from `first` to `last`, both included. */
  readonly bytes: (part?: { readonly first: number; readonly last: number }) => AsyncGenerator<Buffer, void>
}

type ListedAttachment = Required<AttachmentAddress> & Pick<StoredDocument, 'contentType' | 'sha256'>

export const documentBytesMax = 20_000_000
const pageRows = 1_000

/**
 * Stores a document for an attachment, in place of its earlier one.
 * @throws Problem `payload_too_large` over 20 MB, `conflict` when the dataset is read-only
 */
export async function putDocument(
  core: StoreCore,
  datasetId: number,
  { type, id, ordinal = 0 }: AttachmentAddress,
  contentType: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; size: number }> {
  const content = await readAll(bytes)
  const hash = createHash('sha256').update(content).digest()
  // Uploading before the transaction keeps it short: it then finds the object in the bucket.
  if (core.contents.place === 'object' && (await findPlace(core.statements.run, hash)) !== 'database') {
    await requireOwner(core)
    await ensureObject(core, hash, content)
  }
  await core.statements.transaction(async ({ run }) => {
    checkWritable(await openDataset(run, datasetId, noLiveness))
    await run(datasetId, lockContents('shared'))
    await insertContent(core, run, datasetId, hash, content)
    await run(datasetId, {
      name: 'document:refer',
      text: `INSERT INTO clinical.attachment (dataset_id, type, id, ordinal, content_type, sha256)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (dataset_id, type, id, ordinal)
               DO UPDATE SET content_type = excluded.content_type, sha256 = excluded.sha256`,
      values: [datasetId, fhirTypeNumbers[type], id, ordinal, contentType, hash],
    })
  })
  return { sha256: hash.toString('hex'), size: content.length }
}

/** With its lock, no sweep and no move to a bucket can delete the bytes before the transaction commits. */
async function insertContent(
  core: StoreCore,
  run: Run,
  datasetId: number,
  hash: Buffer,
  content: Buffer,
): Promise<void> {
  const { clock, contents } = core
  await run(datasetId, lockObject(hash))
  const { rowCount } = await run(datasetId, {
    name: 'document:content',
    text: `INSERT INTO clinical.binary (sha256, size, created_at, stored_in) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING`,
    values: [hash, content.length, clock(), contents.place],
  })
  const isNew = rowCount === 1
  const place = isNew ? contents.place : await findPlace(run, hash)
  if (place === 'object') await ensureObject(core, hash, content)
  else if (isNew) await insertChunks(run, hash, content)
}

/**
 * The document of an attachment; null if it has none, or if its resource is deleted. `alive`: the credential
 * is still valid. Access is not checked here: the caller must have found the resource.
 */
export async function findDocument(
  core: StoreCore,
  datasetId: number,
  { type, id, ordinal = 0 }: AttachmentAddress,
  liveness: Liveness,
): Promise<{ alive: boolean; document: StoredDocument | null }> {
  const { run } = core.statements
  const live = livenessSql(liveness, 4)
  type Row = { alive: boolean; contentType: string | null; hash: Buffer; size: number; place: ContentPlace }
  const { rows } = await run<Row>(datasetId, {
    name: `document:find:${live.kind}`,
    text: `SELECT live.ok AS alive, q.content_type AS "contentType", q.sha256 AS hash, q.size, q.stored_in AS place
               FROM ${liveRow(live)}
               LEFT JOIN LATERAL (
                 SELECT a.content_type, a.sha256, b.size, b.stored_in
                 FROM clinical.attachment a JOIN clinical.binary b USING (sha256)
                 JOIN clinical.resource r USING (dataset_id, type, id)
                 WHERE a.dataset_id = $1 AND a.type = $2 AND a.id = $3 AND a.ordinal = $4 AND NOT r.deleted AND live.ok
               ) q ON true`,
    values: [datasetId, fhirTypeNumbers[type], id, ordinal, ...live.values],
  })
  const row = rows[0]
  if (!row || row.contentType === null) return { alive: row?.alive ?? false, document: null }
  const { contentType, hash, size, place } = row
  return {
    alive: true,
    document: {
      contentType,
      size,
      sha256: hash.toString('hex'),
      bytes: ({ first, last } = { first: 0, last: size - 1 }) =>
        readContent(core, { hash, size }, place, first, last),
    },
  }
}

/** All attachments of resources that are not deleted, ordered by type, id and ordinal. */
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
               ORDER BY a.type, a.id, a.ordinal LIMIT ${pageRows}`,
      values: [datasetId, last.number, last.id, last.ordinal],
    })
    for (const { number, id, ordinal, contentType, hash } of rows) {
      yield { type: fhirTypeOf(number), id, ordinal, contentType, sha256: hash.toString('hex') }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < pageRows) return
    last = end
  }
}

async function readAll(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
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
