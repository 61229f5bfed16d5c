/** Commands and jobs wait longer for a busy database than a request, behind which a person waits. */
import { setTimeout as delay } from 'node:timers/promises'
import { findTransientError } from '../contract/http/transient-errors.ts'

const patienceMs = 30_000
const pauseMs = 1_000

/** For `createPool`. */
export const patientPool = { waitMs: patienceMs, statementTimeoutMs: patienceMs } as const
/** For `PrismaClient`. */
export const patientTransactions = { maxWait: patienceMs, timeout: patienceMs } as const

/**
 * Repeats what failed with an error that passes, for up to 30 seconds.
 * @param work may be done once more from its beginning: one transaction, or nothing that writes
 */
export async function retryTransient<Result>(
  work: () => Promise<Result>,
  isTransient: (error: unknown) => boolean = (error) => findTransientError(error) !== null,
): Promise<Result> {
  const started = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || performance.now() - started > patienceMs) throw error
    }
    await delay(pauseMs)
  }
}
