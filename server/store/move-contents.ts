/** Moves contents between database and bucket while requests are served. A run continues where another one stopped. */

import {
  type Content,
  downloadContent,
  ensureObject,
  findPlace,
  insertChunks,
  isContent,
  LostContentError,
  objectsOf,
  readContent,
  requireOwner,
} from './contents.ts'
import type { StoreCore } from './core.ts'
import { lockObject } from './locks.ts'
import { type ContentPlace, contentPlaces } from './s3-client.ts'
import { noDataset } from './statements.ts'
import { ignoreAway, removeObjects } from './sweep-contents.ts'

/** Contents that one query lists. */
const pageRows = 100

export interface Moved {
  readonly contents: number
  readonly bytes: number
  /** Contents whose bytes are missing or damaged. They stay where they are. */
  readonly lost: number
}

export type OnMoved = (moved: Moved) => void

/** @returns the number and total size of the contents in each place */
export async function countContents({
  statements: { runLong },
}: StoreCore): Promise<Record<ContentPlace, { contents: number; bytes: number }>> {
  const { rows } = await runLong<{ place: ContentPlace; contents: number; bytes: number }>({
    name: 'document:count',
    text: `SELECT p.place, count(b.sha256)::int AS contents, coalesce(sum(b.size), 0)::float8 AS bytes
             FROM unnest($1::text[]) AS p (place) LEFT JOIN clinical.binary b ON b.stored_in = p.place GROUP BY 1`,
    values: [contentPlaces],
  })
  const totalsOf = (place: ContentPlace) => {
    const { contents = 0, bytes = 0 } = rows.find((row) => row.place === place) ?? {}
    return { contents, bytes }
  }
  return { database: totalsOf('database'), object: totalsOf('object') }
}

/** @throws ObjectStorageError if the bucket is unavailable or not ours; contents that were moved before stay moved */
export async function moveContents(
  core: StoreCore,
  to: ContentPlace,
  onMoved: OnMoved = () => {},
): Promise<Moved> {
  if (to === 'object') await requireOwner(core)
  let moved: Moved = { contents: 0, bytes: 0, lost: 0 }
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const { rows } = await core.statements.runLong<Content>({
      name: 'document:elsewhere',
      text: `SELECT sha256 AS hash, size FROM clinical.binary WHERE stored_in <> $1 AND sha256 > $2
               ORDER BY sha256 LIMIT ${pageRows}`,
      values: [to, after],
    })
    for (const content of rows) {
      const result = await moveContent(core, to, content)
      moved = {
        contents: moved.contents + (result === 'moved' ? 1 : 0),
        bytes: moved.bytes + (result === 'moved' ? content.size : 0),
        lost: moved.lost + (result === 'lost' ? 1 : 0),
      }
      onMoved(moved)
    }
    if (to === 'database') {
      const hashes = rows.map(({ hash }) => hash)
      await removeObjects(core, hashes).catch(ignoreAway)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return moved
    after = last.hash
  }
}

async function moveContent(core: StoreCore, to: ContentPlace, content: Content) {
  const { hash } = content
  const bytes = await (to === 'object'
    ? collectChunks(core, content)
    : downloadContent(objectsOf(core), content)
  ).catch((error: unknown) => {
    if (error instanceof LostContentError) return null
    throw error
  })
  // A sweep or another command may have taken the content since it was listed.
  const place = await findPlace(core.statements.run, hash)
  if (place === null || place === to) return 'gone'
  if (bytes === null) return 'lost'
  if (to === 'object') await ensureObject(core, hash, bytes)
  return core.statements.transaction(async ({ run }) => {
    await run(noDataset, lockObject(hash))
    const { rowCount } = await run(noDataset, {
      name: 'document:move',
      text: 'UPDATE clinical.binary SET stored_in = $2 WHERE sha256 = $1 AND stored_in <> $2',
      values: [hash, to],
    })
    if (rowCount === 0) return 'gone'
    if (to === 'database') await insertChunks(run, hash, bytes)
    else {
      // A sweep may have deleted the object since it was uploaded above.
      await ensureObject(core, hash, bytes)
      const chunks = {
        name: 'document:clear',
        text: 'DELETE FROM clinical.binary_chunk WHERE sha256 = $1',
        values: [hash],
      }
      await run(noDataset, chunks)
    }
    return 'moved'
  })
}

async function collectChunks(core: StoreCore, content: Content): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of readContent(core, content, 'database', 0, content.size - 1)) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  if (!isContent(bytes, content.hash)) throw new LostContentError(content.hash)
  return bytes
}
