/**
 * Assertions that the token endpoint refused, for the app's developers. A row has the outcome of every check, and the
 * known fields of the header and the claims, truncated. It has no signature, so it can't be used as an assertion.
 */
import type { AssertionAttempt as AttemptRow, Prisma } from '../../../prisma/generated/client/client.ts'
import type { Core } from '../core.ts'
import type { AssertionAttempt, AssertionReport } from './client-types.ts'

const attemptsMax = 50

/** Stores an attempt. An app's last fifty stay; a tick deletes them after thirty days. */
export async function keep(
  { prisma, clock }: Core,
  clientId: string,
  report: AssertionReport,
  correlationId: string,
): Promise<void> {
  await prisma.assertionAttempt.create({
    data: { clientId, at: clock(), correlationId, report: report as unknown as Prisma.InputJsonObject },
    select: { id: true },
  })
  const [oldest] = await prisma.assertionAttempt.findMany({
    where: { clientId },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    skip: attemptsMax,
    take: 1,
    select: { at: true },
  })
  if (oldest) await prisma.assertionAttempt.deleteMany({ where: { clientId, at: { lte: oldest.at } } })
}

/** The attempts, the newest first. */
export async function list({ prisma }: Core, clientId: string): Promise<readonly AssertionAttempt[]> {
  const rows = await prisma.assertionAttempt.findMany({
    where: { clientId },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: attemptsMax,
  })
  return rows.map((row) => toAttempt(row))
}

/** @returns null if there is none, or it was deleted */
export async function find({ prisma }: Core, clientId: string, correlationId: string) {
  const row = await prisma.assertionAttempt.findFirst({ where: { clientId, correlationId } })
  return row && toAttempt(row)
}

function toAttempt({ id, at, correlationId, report }: AttemptRow): AssertionAttempt {
  return { id, at, correlationId, report: report as unknown as AssertionReport }
}
