/** What the review's clock tells our staff before the five business days are over, and when they are. */
import type { ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import type { Core } from '../core.ts'
import { type EscalationLevel, notifyDeadline } from '../review-clocks/escalation.ts'

const clockName = 'Production key: decided'

/** Each level once. @returns whether it was told of now */
export async function escalate(
  { prisma, mail, portalAudit, log }: Pick<Core, 'prisma' | 'mail' | 'portalAudit' | 'log'>,
  found: ProductionKeyRequest,
  level: EscalationLevel,
  now: Date,
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    // The row as it was read: whoever decided, asked or was faster with this leaves nothing to tell.
    const { count } = await tx.productionKeyRequest.updateMany({
      where: {
        id: found.id,
        clockStoppedAt: null,
        clockPausedOn: null,
        clockDueOn: found.clockDueOn,
        clockEscalated: { lt: level },
      },
      data: { clockEscalated: level, ...(level === 100 ? { clockBreachedAt: now } : {}) },
    })
    if (count === 0) return false
    const row = await tx.productionKeyRequest.findUniqueOrThrow({ where: { id: found.id } })
    await portalAudit.append(tx, {
      ...portalAudit.system(),
      organizationId: row.organizationId,
      ...(row.practiceId ? { practiceId: row.practiceId } : {}),
      action: level === 100 ? 'production_key.clock_breach' : `production_key.clock_${level}`,
      subject: { kind: 'production_key_request', id: row.id },
      detail: { dueOn: row.clockDueOn },
    })
    await notifyDeadline(tx, mail, {
      level,
      opsAt80: false,
      holderId: row.claimedById,
      organizationId: row.organizationId,
      props: {
        about: 'production_key',
        appName: row.name || 'A key without a name',
        clockName,
        dueAt: (row.clockDueAt ?? now).toISOString(),
        requestId: row.id,
      },
    })
    if (level === 100) log.warn({ requestId: row.id }, 'a production key request is overdue')
    return true
  })
}
