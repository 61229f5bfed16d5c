import { setTimeout as delay } from 'node:timers/promises'
import type { Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import { findTransientError } from '../contract/http/transient-errors.ts'

/** Random pauses between attempts, growing up to `maxMs`, so that processes do not reconnect at the same moment. */
export function createBackoff({ firstMs = 100, maxMs = 2_000 } = {}) {
  let attempts = 0
  return {
    /** Milliseconds until the next attempt. */
    next() {
      const longest = Math.min(maxMs, firstMs * 2 ** attempts)
      attempts = Math.min(attempts + 1, 30)
      return Math.round(longest * (0.5 + Math.random() / 2))
    },
    reset() {
      attempts = 0
    },
  }
}

// Repeats transactions that PostgreSQL aborted because of a deadlock or conflict. Agreements and production keys update
// each other, so two transactions can each hold a row that the other one waits for.

const attempts = 5

/**
 * @param work may run several times, so it must change nothing outside of its transaction
 * @throws the error of `work`, or the conflict after five attempts
 */
export async function withRetry<T>(
  prisma: Pick<PrismaClient, '$transaction'>,
  work: (tx: Prisma.TransactionClient) => Promise<T>,
  options: { maxWait: number; timeout: number } = { maxWait: 10_000, timeout: 20_000 },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await prisma.$transaction(work, options)
    } catch (thrown) {
      if (attempt === attempts || !wasAborted(thrown)) throw thrown
    }
  }
}

/** A deadlock or a write conflict (40P01, 40001), however Prisma reports it. */
function wasAborted(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  if ('code' in thrown && thrown.code === 'P2034') return true
  const meta = 'meta' in thrown ? (thrown.meta as { driverAdapterError?: unknown } | undefined) : undefined
  return isConflict(thrown) || isConflict(meta?.driverAdapterError)
}

function isConflict(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null || !('cause' in thrown)) return false
  return (thrown.cause as { kind?: unknown } | null)?.kind === 'TransactionWriteConflict'
}

// Commands and jobs wait longer for a busy database than requests.

const patienceMs = 30_000
const pauseMs = 1_000

/** Options for `createPool`. */
export const patientPool = { waitMs: patienceMs, statementTimeoutMs: patienceMs } as const
/** Options for `PrismaClient`. */
export const patientTransactions = { maxWait: patienceMs, timeout: patienceMs } as const

/**
 * Repeats work that failed with a transient error, for up to 30 seconds.
 * @param work must be safe to repeat: one transaction, or work that writes nothing
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
