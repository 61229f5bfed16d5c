/** Proves that a write to the logs commits now: without it no record may be served (see recorder.ts). */
import type pg from 'pg'

/** Each proof is a write, so requests within this time get the last result. */
const freshMs = 2_000

export function createWriteProbe({ pool }: { pool: Pick<pg.Pool, 'query'> }) {
  let last: { startedAt: number; proof: Promise<unknown> } | null = null
  let pending = false

  /** Rejects when the logs cannot be written. One proof at a time, however many ask. */
  return async function proveWrite(): Promise<void> {
    if (last === null || (!pending && performance.now() - last.startedAt >= freshMs)) {
      pending = true
      const proof = pool.query('SELECT log.prove_write()').finally(() => {
        pending = false
      })
      last = { startedAt: performance.now(), proof }
    }
    await last.proof
  }
}
