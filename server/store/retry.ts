import { setTimeout as delay } from 'node:timers/promises'
import type { Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import { findTransientError } from '../contract/http/transient-errors.ts'

/** Pauses between attempts: each up to twice as long as the one before, and never the same for two processes. */

/** No pause is longer than `maxMs`: so much later than the database the application is back. */
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

// A transaction that PostgreSQL broke off for the sake of another, done again. Steps of documents and of production
// keys notify each other of changes, so two at once can hold one row each and wait for the other's.

const attempts = 5

/**
 * @param work runs once more from its beginning: it changes nothing outside of its transaction
 * @throws what `work` throws, and the breaking off itself when it happened five times in a row
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
      if (attempt === attempts || !wasBrokenOff(thrown)) throw thrown
    }
  }
}

/** A deadlock or a write conflict (40P01, 40001), however Prisma reports it. */
function wasBrokenOff(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  if ('code' in thrown && thrown.code === 'P2034') return true
  const meta = 'meta' in thrown ? (thrown.meta as { driverAdapterError?: unknown } | undefined) : undefined
  return isConflict(thrown) || isConflict(meta?.driverAdapterError)
}

function isConflict(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null || !('cause' in thrown)) return false
  return (thrown.cause as { kind?: unknown } | null)?.kind === 'TransactionWriteConflict'
}

// Commands and jobs wait longer for a busy database than a request, behind which a person waits.

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
