/** Scheduled jobs delete rows in batches, so that none holds locks for long or floods the write-ahead log. */

const rowsAtOnce = 2_000

/** @param deleteSome deletes at most `limit` rows. @returns the number of deleted rows */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<{ count: number }>) {
  for (let gone = 0; ; ) {
    const { count } = await deleteSome(rowsAtOnce)
    gone += count
    if (count < rowsAtOnce) return gone
  }
}
