/** Why a key that has not ended does not work for now, for its developers. */
import { type SuspensionCause, suspensionCauses } from '../../contract/workflows/production-key-workflow.ts'
import type { Core } from '../core.ts'

export type KeySuspension = Readonly<{
  title: string
  /** A person of the practice, or Sandpiper; null where nobody decided it. */
  by: string | null
  /** In the words of the person who did it; null: the email about it has them. */
  reason: string | null
  since: Date
  next: string
}>

type Key = Readonly<{
  id: string
  practiceId: string
  organizationId: string | null
  productionRequestId: string | null
  suspendedAt: Date | null
}>

const stopped = {
  title: 'Stopped by the practice',
  next: 'Talk to the practice. One of its admins can resume access.',
}
const byOperator = {
  title: 'Suspended by an operator',
  by: 'Sandpiper',
  reason: null,
  next: 'Read the reason in the email about it, and reply to that email.',
}

/** @returns for keys that have not ended, by key; the oldest cause first, stops of the practice among them */
export async function findSuspensions(
  { prisma }: Pick<Core, 'prisma'>,
  keys: readonly Key[],
): Promise<Map<string, readonly KeySuspension[]>> {
  const idsOf = (id: (key: Key) => string | null) =>
    [...new Set(keys.map(id))].filter((each) => each !== null)
  const [rows, stops] = await Promise.all([
    prisma.productionKeySuspension.findMany({
      where: {
        requestId: {
          in: idsOf(({ suspendedAt, productionRequestId }) => suspendedAt && productionRequestId),
        },
        endedAt: null,
      },
      orderBy: { at: 'asc' },
    }),
    prisma.practiceStop.findMany({
      where: { practiceId: { in: idsOf(({ practiceId }) => practiceId) }, endedAt: null, clientId: null },
      orderBy: { startedAt: 'asc' },
    }),
  ])
  const byIds = [...rows.map(({ byId }) => byId), ...stops.map(({ startedById }) => startedById)]
  const people = await prisma.account.findMany({
    where: { id: { in: byIds.filter((id) => id !== null) } },
    select: { id: true, name: true },
  })
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return new Map(
    keys.map((key) => {
      const causes = rows
        .filter(({ requestId }) => key.suspendedAt !== null && requestId === key.productionRequestId)
        .map(({ cause, reason, at, byId }) => {
          const { title, next } = suspensionCauses[cause as SuspensionCause]
          const by = cause === 'ops' ? 'Sandpiper' : byId && (names.get(byId) ?? null)
          return { title, next, by, reason, since: at }
        })
      const ofPractice = stops
        .filter(
          (stop) =>
            stop.practiceId === key.practiceId &&
            (stop.keyId ?? key.id) === key.id &&
            (stop.organizationId ?? key.organizationId) === key.organizationId,
        )
        .map(({ reason, startedAt, startedById }) => ({
          ...stopped,
          ...{ by: names.get(startedById) ?? null, reason, since: startedAt },
        }))
      const unexplained = key.suspendedAt !== null && causes.length === 0
      const operator = unexplained ? [{ ...byOperator, since: key.suspendedAt as Date }] : []
      return [key.id, [...causes, ...operator, ...ofPractice]]
    }),
  )
}
