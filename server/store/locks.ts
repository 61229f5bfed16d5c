/** The advisory locks of the clinical store, and their statements. */

/** First half of the locks on datasets: writers share, exports and removal take it alone. */
export const datasetLockClass = 727_073_701
/** Shared by those who refer to contents of documents, alone for those who sweep contents away. */
const contentLock = 727_073_703

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
