/** Whether the database's short form of who may call agrees with the records it is made from. */
import type { LiveCheck } from '../../store/live-check.ts'
import type { Core } from '../core.ts'

export const mendedAction = 'credentials.mended'
export const mendedSubject = 'credentials'

/** What differs is mended, and reported by an audit row: the metrics count such rows for a day. */
export async function checkHourly({ store, prisma, portalAudit }: Core): Promise<LiveCheck> {
  const found = await store.checkLive()
  if (found.wrong > 0)
    await prisma.$transaction((tx) =>
      portalAudit.append(tx, {
        ...portalAudit.system(),
        action: mendedAction,
        subject: { kind: mendedSubject, id: null },
        detail: { ...found },
      }),
    )
  return found
}
