/**
 * Stores document contents under their SHA-256: as chunks in the database, or as an object in a bucket. Each content's
 * row names its place: both kinds stay readable whatever is set for new ones, and a content can move during a read.
 */
import { createHash } from 'node:crypto'
import type { StoreCore } from './core.ts'
import { type ContentPlace, ObjectStorageError, type S3Client } from './s3-client.ts'
import { noDataset, type Run } from './statements.ts'

/** The bytes were deleted in the bucket, or by a sweep during a read. The message names no document and no patient. */
export class LostContentError extends ObjectStorageError {
  override name = 'LostContentError'

  constructor(hash: Buffer) {
    super(`the bytes of a document are missing or damaged (SHA-256 ${hash.toString('hex', 0, 6)}…)`)
  }
}

export interface Content {
  readonly hash: Buffer
  readonly size: number
}

const chunkBytes = 262_144
/** A read may miss a content that is being moved. After more misses in a row than this, the content is lost. */
const missesMax = 2
const downloadAttempts = 3

/** Null if the content does not exist, or not any more. */
export async function findPlace(run: Run, hash: Buffer): Promise<ContentPlace | null> {
  const { rows } = await run<{ place: ContentPlace }>(noDataset, {
    name: 'document:place',
    text: 'SELECT stored_in AS place FROM clinical.binary WHERE sha256 = $1',
    values: [hash],
  })
  return rows[0]?.place ?? null
}

/** Streams the bytes from `first` to `last`, both included. A complete content is checked against its hash. */
export function readContent(
  core: StoreCore,
  content: Content,
  known: ContentPlace,
  first: number,
  last: number,
): AsyncGenerator<Buffer, void> {
  const pieces = readPieces(core, content, known, first, last)
  return first === 0 && last === content.size - 1 ? verified(pieces, content.hash) : pieces
}

/** Holds back the last piece until the hash matches: a content that was changed in the bucket never arrives whole. */
async function* verified(pieces: AsyncGenerator<Buffer, void>, hash: Buffer): AsyncGenerator<Buffer, void> {
  const digest = createHash('sha256')
  let held: Buffer | null = null
  for await (const piece of pieces) {
    digest.update(piece)
    if (held !== null) yield held
    held = piece
  }
  if (!digest.digest().equals(hash)) throw new LostContentError(hash)
  if (held !== null) yield held
}

async function* readPieces(
  core: StoreCore,
  { hash }: Content,
  known: ContentPlace,
  first: number,
  last: number,
): AsyncGenerator<Buffer, void> {
  let place: ContentPlace | null = known
  let misses = 0
  for (let at = first; at <= last; place = await findPlace(core.statements.run, hash)) {
    if (place === null) throw new LostContentError(hash)
    const from = at
    const pieces =
      place === 'object' ? readObject(objectsOf(core), hash, at, last) : readChunks(core, hash, at, last)
    try {
      for await (const piece of pieces) {
        at += piece.length
        yield piece
      }
    } catch (error) {
      // An interrupted download continues where it stopped.
      if (at === from) throw error
    }
    misses = at > from ? 0 : misses + 1
    if (misses > missesMax) throw new LostContentError(hash)
  }
}

/** Yields nothing if the object does not exist. */
async function* readObject(
  objects: S3Client,
  hash: Buffer,
  first: number,
  last: number,
): AsyncGenerator<Buffer, void> {
  const stream = await objects.get(hash.toString('hex'), { first, last })
  if (stream === null) return
  try {
    for await (const piece of stream) yield piece as Buffer
  } catch (error) {
    throw new ObjectStorageError('the object storage interrupted a download', { cause: error })
  }
}

async function* readChunks(
  { statements: { run } }: StoreCore,
  hash: Buffer,
  first: number,
  last: number,
): AsyncGenerator<Buffer, void> {
  for (let ordinal = Math.floor(first / chunkBytes); ordinal * chunkBytes <= last; ordinal += 1) {
    const { rows } = await run<{ bytes: Buffer }>(noDataset, {
      name: 'document:read',
      text: 'SELECT bytes FROM clinical.binary_chunk WHERE sha256 = $1 AND ordinal = $2',
      values: [hash, ordinal],
    })
    const bytes = rows[0]?.bytes
    if (bytes === undefined) return
    const start = ordinal * chunkBytes
    yield bytes.subarray(Math.max(0, first - start), last - start + 1)
  }
}

function* toChunks(content: Buffer): Generator<{ ordinal: number; bytes: Buffer }, void> {
  for (let ordinal = 0; ordinal * chunkBytes < content.length; ordinal += 1)
    yield { ordinal, bytes: content.subarray(ordinal * chunkBytes, (ordinal + 1) * chunkBytes) }
}

export async function insertChunks(run: Run, hash: Buffer, content: Buffer): Promise<void> {
  for (const { ordinal, bytes } of toChunks(content)) {
    await run(noDataset, {
      name: 'document:chunk',
      text: 'INSERT INTO clinical.binary_chunk (sha256, ordinal, bytes) VALUES ($1, $2, $3)',
      values: [hash, ordinal, bytes],
    })
  }
}

/** Uploads a content unless the bucket already has it. */
export async function ensureObject(core: StoreCore, hash: Buffer, content: Buffer): Promise<void> {
  const objects = objectsOf(core)
  const key = hash.toString('hex')
  if ((await objects.sizeOf(key)) !== content.length) await objects.put(key, content)
}

export function objectsOf({ contents: { objects } }: StoreCore): S3Client {
  if (objects !== null) return objects
  throw new ObjectStorageError('a document is in object storage, and DOCUMENT_URL is not set')
}

/**
 * Downloads a whole object and checks it against its hash.
 * @throws LostContentError, or ObjectStorageError if the storage is unavailable
 */
export async function downloadContent(objects: S3Client, { hash, size }: Content): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const pieces: Buffer[] = []
      for await (const piece of readObject(objects, hash, 0, size - 1)) pieces.push(piece)
      const content = Buffer.concat(pieces)
      if (isContent(content, hash)) return content
      throw new LostContentError(hash)
    } catch (error) {
      if (attempt === downloadAttempts || error instanceof LostContentError) throw error
    }
  }
}

export function isContent(bytes: Buffer, hash: Buffer): boolean {
  return createHash('sha256').update(bytes).digest().equals(hash)
}

const ownerName = 'owner'

/**
 * A copied database with the settings of the original would delete objects that the original needs. So the bucket names
 * its owner, which is the first installation that stores something there.
 * @throws ObjectStorageError for the bucket of another installation
 */
export async function requireOwner(core: StoreCore): Promise<void> {
  const { owner } = core.contents
  const objects = objectsOf(core)
  const bucketOwner = await readOwner(objects)
  if (bucketOwner === null) await objects.put(ownerName, Buffer.from(owner))
  else if (bucketOwner !== owner) throw new ObjectStorageError(foreignOwner(bucketOwner, owner))
}

/** An error message that names the bucket's other owner; null if the bucket is ours or has no owner yet. */
export async function findForeignOwner(core: StoreCore): Promise<string | null> {
  const { owner } = core.contents
  const bucketOwner = await readOwner(objectsOf(core))
  return bucketOwner === null || bucketOwner === owner ? null : foreignOwner(bucketOwner, owner)
}

async function readOwner(objects: S3Client): Promise<string | null> {
  const stream = await objects.get(ownerName)
  return stream && Buffer.concat(await stream.toArray()).toString('utf8')
}

const foreignOwner = (found: string, owner: string) =>
  `the object “${ownerName}” of DOCUMENT_URL names ${found.slice(0, 200)}, and PUBLIC_ORIGIN is ${owner}: nothing is stored ` +
  'or removed there. Give this installation a place of its own, or delete that object if its origin has changed'
