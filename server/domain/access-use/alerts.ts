/** Alerts about the use of a practice's keys and apps. An admin marks them as checked. */

import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { AlertRuleId } from '../../contract/portal/access-alerts.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'

export { readSettings, saveSettings } from './alert-settings.ts'
export { raiseAlerts } from './raise-alerts.ts'

/**
 * The alerts, unchecked ones first, then the newest.
 * @throws Problem `not_found` unless the reader works there, `forbidden` unless they are an admin there
 */
export async function list(
  { prisma }: Core,
  { practiceId, ask = firstPage }: Readonly<{ practiceId: string; ask?: PageAsk }>,
  { accountId }: Pick<Actor, 'accountId'>,
) {
  await requirePracticeRole(prisma, { practiceId, accountId }, ['admin'])
  const where: Prisma.AccessAlertWhereInput = {
    practiceId,
    ...searchWhere<Prisma.AccessAlertWhereInput>(ask.q, (like) => [
      { name: like },
      { organizationName: like },
      { explanation: like },
    ]),
  }
  const listed = await readPage(
    ask,
    () => prisma.accessAlert.count({ where }),
    (window) =>
      prisma.accessAlert.findMany({
        where,
        include: { acknowledgedBy: { select: { name: true } } },
        orderBy: [{ acknowledgedAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }, { id: 'asc' }],
        ...window,
      }),
  )
  return {
    ...listed,
    rows: listed.rows.map((row) => ({
      ...{ id: row.id, kind: row.subjectKind, subjectId: row.subjectId, name: row.name },
      ...{ organizationName: row.organizationName, rule: row.rule as AlertRuleId },
      ...{ explanation: row.explanation, day: row.day.toISOString().slice(0, 10), at: row.createdAt },
      checkedAt: row.acknowledgedAt,
      checkedBy: row.acknowledgedBy?.name ?? null,
    })),
  }
}

/** Marks an alert as checked. A second call changes nothing. @throws Problem as `list`, and `not_found` for an alert of another practice */
export async function acknowledge(
  { prisma, clock, portalAudit }: Core,
  { practiceId, alertId }: Readonly<{ practiceId: string; alertId: string }>,
  actor: Actor,
): Promise<void> {
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  if (!uuidPattern.test(alertId)) throw new Problem('not_found')
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.accessAlert.updateMany({
      where: { id: alertId, practiceId, acknowledgedAt: null },
      data: { acknowledgedAt: clock(), acknowledgedById: actor.accountId },
    })
    if (count === 0) {
      if ((await tx.accessAlert.findFirst({ where: { id: alertId, practiceId } })) === null)
        throw new Problem('not_found')
      return
    }
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'access_alert.checked',
      subject: { kind: 'access_alert', id: alertId },
      detail: {},
    })
  })
}
