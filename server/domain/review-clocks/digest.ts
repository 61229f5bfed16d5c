/** The reviewers' daily email about all waiting apps and production keys. */
import { productionQueueStates } from '../../contract/workflows/production-key-workflow.ts'
import { queueStates } from '../../contract/workflows/registration-workflow.ts'
import { isBusinessDay } from '../business-days/business-days.ts'
import type { Core } from '../core.ts'
import { uuidOf } from '../uuid-of.ts'
import { findStaff } from './escalation.ts'

const digestHour = 9

/** Sent to every reviewer once a business day, from nine o'clock in the office's zone on, unless nothing is waiting. */
export async function sendDigest(core: Core, now: Date): Promise<number> {
  const { calendar, prisma, mail } = core
  const today = calendar.dateOf(now)
  if (!isBusinessDay(today) || calendar.hourOf(now) < digestHour) return 0
  const keys = await waitingKeys(core)
  const waiting = [...(await waitingRegistrations(core)), ...keys]
  if (waiting.length === 0) return 0
  const dated = waiting
    .flatMap(({ dueAt, ...request }) => (dueAt === null ? [] : [{ ...request, dueAt }]))
    .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
  const props = {
    waiting: waiting.length,
    productionKeys: keys.length,
    unclaimed: waiting.filter(({ claimed }) => !claimed).length,
    overdue: dated.filter(({ dueAt }) => dueAt < now).length,
    first: dated.slice(0, 10).map(({ claimed: _, dueAt, ...request }) => ({
      ...request,
      dueAt: dueAt.toISOString(),
    })),
    requestId: today,
  }
  return prisma.$transaction(async (tx) => {
    const reviewers = await findStaff(tx, 'reviewer')
    for (const { id, name, email } of reviewers)
      await mail.enqueue(tx, {
        id: uuidOf(`digest ${today} ${id}`),
        template: 'review-digest',
        to: email,
        props: { ...props, name },
      })
    return reviewers.length
  })
}

async function waitingRegistrations({ prisma }: Core) {
  const rows = await prisma.registration.findMany({
    where: { state: { in: [...queueStates] } },
    include: {
      clocks: { where: { stoppedAt: null, kind: 'promise' } },
      organization: { select: { name: true } },
    },
  })
  return rows.map(({ name, clocks, claimedById, organization }) => ({
    appName: name || 'An app without a name',
    organizationName: organization.name,
    isProductionKey: false,
    dueAt: clocks[0]?.dueAt ?? null,
    claimed: claimedById !== null,
  }))
}

async function waitingKeys({ prisma }: Core) {
  const rows = await prisma.productionKeyRequest.findMany({
    where: { state: { in: [...productionQueueStates] } },
    include: { organization: { select: { name: true } } },
  })
  return rows.map(({ name, clockDueAt, claimedById, organization }) => ({
    appName: name || 'A key without a name',
    organizationName: organization.name,
    isProductionKey: true,
    dueAt: clockDueAt,
    claimed: claimedById !== null,
  }))
}
