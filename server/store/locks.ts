/** The advisory locks of the clinical store, and their statements. */

/** First half of the locks on datasets: writers share, exports and removal take it alone. */
export const datasetLockClass = 727_073_701
/** Shared by those who refer to contents of documents, alone for those who sweep contents away. */
const contentLock = 727_073_703
/** First half of the locks on objects: shared by those who refer to one, alone for those who remove it. */
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

/** Held by the transaction that assigns this identifier, until its end. */
export function lockIdentifier(datasetId: number, identifier: string) {
  return {
    name: 'identifier:lock',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($2::text, $1::int::bigint))',
    values: [datasetId, identifier],
  }
}

/** Held until the end of the transaction: the object of this hash is not removed. */
export function lockObject(hash: Buffer) {
  return {
    name: 'document:lock-object',
    text: 'SELECT pg_advisory_xact_lock_shared($1::int, $2::int)',
    values: [objectLockClass, objectKey(hash)],
  }
}

/** @returns the hashes whose objects may be removed in this transaction: nothing refers to them right now */
export function tryLockObjects(hashes: readonly Buffer[]) {
  return {
    name: 'document:try-objects',
    text: `SELECT h.hash FROM unnest($1::bytea[], $2::int[]) AS h (hash, key)
             WHERE pg_try_advisory_xact_lock($3::int, h.key)`,
    values: [hashes, hashes.map(objectKey), objectLockClass],
  }
}

const objectKey = (hash: Buffer) => hash.readInt32BE(0)
