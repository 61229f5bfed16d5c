/**
 * A transaction that PostgreSQL broke off for the sake of another, done again. Steps of documents and of production
 * keys tell each other of what they change, so two at once can hold one row each and wait for the other's.
 */
import type { Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'

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
