/** The advisory locks of the clinical store, and their statements. */

/** First half of a dataset's lock. Writers share it; exports and removals hold it exclusively. */
export const datasetLockClass = 727_073_701
/** The lock on document contents. Transactions that refer to contents share it; sweeps hold it exclusively. */
const contentLock = 727_073_703
/** First half of an object's lock. Transactions that refer to the object share it; its removal is exclusive. */
const objectLockClass = 727_073_704

export function lockDatasetAlone(datasetId: number) {
  return {
    name: 'dataset:lock-alone',
    text: 'SELECT pg_advisory_xact_lock($1::int, $2::int)',
    values: [datasetLockClass, datasetId],
  }
}

export function lockContents(how: 'shared' | 'alone') {
  return {
    name: `document:lock:${how}`,
    text: `SELECT pg_advisory_xact_lock${how === 'shared' ? '_shared' : ''}($1::bigint)`,
    values: [contentLock],
  }
}

/** Locks an identifier until the end of the transaction that assigns it. */
export function lockIdentifier(datasetId: number, identifier: string) {
  return {
    name: 'identifier:lock',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($2::text, $1::int::bigint))',
    values: [datasetId, identifier],
  }
}

/** Prevents the removal of the object with this hash until the end of the transaction. */
export function lockObject(hash: Buffer) {
  return {
    name: 'document:lock-object',
    text: 'SELECT pg_advisory_xact_lock_shared($1::int, $2::int)',
    values: [objectLockClass, objectKey(hash)],
  }
}

/** @returns the hashes that this transaction has locked, so that their objects may be removed */
export function tryLockObjects(hashes: readonly Buffer[]) {
  return {
    name: 'document:try-objects',
    text: `SELECT h.hash FROM unnest($1::bytea[], $2::int[]) AS h (hash, key)
             WHERE pg_try_advisory_xact_lock($3::int, h.key)`,
    values: [hashes, hashes.map(objectKey), objectLockClass],
  }
}

const objectKey = (hash: Buffer) => hash.readInt32BE(0)
