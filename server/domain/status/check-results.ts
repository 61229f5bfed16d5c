/** Keeps what the checks found, one row a check. */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { CheckName } from '../../contract/components.ts'
import type { Finding } from './status-board.ts'

export function createCheckResults({ prisma }: { prisma: PrismaClient }) {
  /** All or none. Of two rounds at once the later one stays, whichever comes first. */
  return async function saveChecks(
    findings: readonly (Finding & { name: CheckName })[],
    checkedAt: Date,
  ): Promise<void> {
    const rows = findings.map(
      ({ name, state, summary }) => Prisma.sql`(${name}, ${state}, ${summary}, ${checkedAt}::timestamptz)`,
    )
    if (rows.length === 0) return
    await prisma.$executeRaw`
      INSERT INTO portal.status_check (name, state, summary, checked_at) VALUES ${Prisma.join(rows)}
      ON CONFLICT (name) DO UPDATE
        SET state = excluded.state, summary = excluded.summary, checked_at = excluded.checked_at
        WHERE status_check.checked_at <= excluded.checked_at`
  }
}
