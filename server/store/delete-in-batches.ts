/** Ticks delete in batches: none holds its locks, or fills the log of the database, for as long as a month's rows take. */

const rowsAtOnce = 2_000

/** @param deleteSome removes at most so many rows. @returns how many went */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<{ count: number }>) {
  for (let gone = 0; ; ) {
    const { count } = await deleteSome(rowsAtOnce)
    gone += count
    if (count < rowsAtOnce) return gone
  }
}
