/**
 * Removes contents that no attachment refers to: first their rows, then their objects, which `sweepObjects` finds after a
 * kill in between. No object is removed while a transaction refers to its hash.
 */

import { objectsOf, requireOwner } from './contents.ts'
import type { StoreCore } from './core.ts'
import { lockContents, tryLockObjects } from './locks.ts'
import { type ContentPlace, findStorageError } from './s3-client.ts'
import { noDataset } from './statements.ts'

/** The most contents that are removed while writers wait. */
const batchRows = 200
/** The most objects that are removed at the same time. */
const batchObjects = 32
const objectName = /^[0-9a-f]{64}$/

const unreferenced = 'NOT EXISTS (SELECT 1 FROM clinical.attachment a WHERE a.sha256 = b.sha256)'

/**
 * Leaves an object that cannot be removed now to `sweepObjects`.
 * @returns the number of removed contents
 */
export async function sweepContents(core: StoreCore): Promise<number> {
  const { runLong } = core.statements
  let swept = 0
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const { rows } = await runLong<{ hash: Buffer }>({
      name: 'document:unreferenced',
      text: `SELECT b.sha256 AS hash FROM clinical.binary b WHERE b.sha256 > $1 AND ${unreferenced}
               ORDER BY b.sha256 LIMIT ${batchRows}`,
      values: [after],
    })
    const gone = await removeRows(
      core,
      rows.map(({ hash }) => hash),
    )
    swept += gone.length
    const objects = gone.filter(({ place }) => place === 'object').map(({ hash }) => hash)
    await removeObjects(core, objects).catch(ignoreAway)
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchRows) return swept
    after = last.hash
  }
}

function removeRows(core: StoreCore, hashes: Buffer[]): Promise<{ hash: Buffer; place: ContentPlace }[]> {
  if (hashes.length === 0) return Promise.resolve([])
  return core.statements.transaction(
    async ({ run }) => {
      await run(noDataset, lockContents('alone'))
      const { rows } = await run<{ hash: Buffer; place: ContentPlace }>(noDataset, {
        name: 'document:sweep',
        text: `DELETE FROM clinical.binary b WHERE b.sha256 = ANY ($1::bytea[]) AND ${unreferenced}
                 RETURNING b.sha256 AS hash, b.stored_in AS place`,
        values: [hashes],
      })
      return rows
    },
    { statementTimeoutMs: 0 },
  )
}

/**
 * Removes objects that no row names. An interrupted upload, a moved content or a sweep without the bucket leaves them behind.
 * @returns the number of removed objects. @throws ObjectStorageError if the bucket is unavailable
 */
export async function sweepObjects(core: StoreCore): Promise<number> {
  if (core.contents.objects === null) return 0
  let removed = 0
  for await (const keys of core.contents.objects.pages('')) {
    const hashes = keys.filter((key) => objectName.test(key)).map((key) => Buffer.from(key, 'hex'))
    const { rows } = await core.statements.run<{ hash: Buffer }>(noDataset, withoutRow(hashes))
    removed += await removeObjects(
      core,
      rows.map(({ hash }) => hash),
    )
  }
  return removed
}

/** Removes those of the objects that no row names. The bucket must be ours. */
export async function removeObjects(core: StoreCore, hashes: readonly Buffer[]): Promise<number> {
  if (hashes.length === 0) return 0
  await requireOwner(core)
  let removed = 0
  for (let at = 0; at < hashes.length; at += batchObjects) {
    removed += await core.statements.transaction(async ({ run }) => {
      const batch = hashes.slice(at, at + batchObjects)
      const locked = await run<{ hash: Buffer }>(noDataset, tryLockObjects(batch))
      // A second statement also sees rows that were committed while the first one waited for its locks.
      const { rows } = await run<{ hash: Buffer }>(noDataset, withoutRow(locked.rows.map(({ hash }) => hash)))
      await Promise.all(rows.map(({ hash }) => objectsOf(core).remove(hash.toString('hex'))))
      return rows.length
    })
  }
  return removed
}

function withoutRow(hashes: readonly Buffer[]) {
  return {
    name: 'document:without-row',
    text: `SELECT h.hash FROM unnest($1::bytea[]) AS h (hash) WHERE NOT EXISTS (
             SELECT 1 FROM clinical.binary b WHERE b.sha256 = h.hash AND b.stored_in = 'object')`,
    values: [hashes],
  }
}

/** Objects that cannot be removed now are left to `sweepObjects`. */
export function ignoreAway(error: unknown): void {
  if (!findStorageError(error)) throw error
}
