/** Metrics for operations: counts of jobs, emails and exports, without personal data. */
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { opsActions } from '../../contract/portal/ops-actions.ts'
import type { LiveCheck } from '../../store/live-check.ts'
import type { Core } from '../core.ts'

type JobCounts = { task: string; waiting: number; running: number; failed: number }

export type OperationsMetrics = {
  jobs: JobCounts[]
  /** Null if no job is due. */
  oldestDueSeconds: number | null
  outbox: { waiting: number; sending: number; failed: number }
  oldestMailSeconds: number | null
  exports: { running: number; failed: number }
  /** The result of the last check; false if the chain was intact or never checked. */
  auditChainBroken: boolean
  /** The number in the last day. Each one is a fault. */
  credentialsMended: number
}

const dayMs = 86_400_000

/**
 * Counts jobs by task. A job that stays due is the first sign that no worker runs.
 * @param failedWithinHours leaves out jobs that ran out of attempts earlier
 */
export async function readJobCounts(prisma: PrismaClient, failedWithinHours: number | null = null) {
  const rows = await prisma.$queryRaw<(JobCounts & { oldest: number | null })[]>`
    SELECT t.identifier AS task,
      count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts)::int AS waiting,
      count(*) FILTER (WHERE j.locked_at IS NOT NULL)::int AS running,
      count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts >= j.max_attempts
        AND (${failedWithinHours}::int IS NULL
          OR j.updated_at > now() - make_interval(hours => ${failedWithinHours}::int)))::int AS failed,
      extract(epoch FROM max(now() - j.run_at)
        FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= now()))::float8 AS oldest
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    GROUP BY t.identifier ORDER BY t.identifier`
  const oldest = rows.flatMap((row) => (row.oldest === null ? [] : [row.oldest]))
  return {
    jobs: rows.map(({ oldest: _, ...counts }) => counts),
    oldestDueSeconds: oldest.length > 0 ? Math.max(...oldest) : null,
  }
}

export function createMetricQueries({ prisma, clock }: { prisma: PrismaClient; clock: () => Date }) {
  return async function read(): Promise<OperationsMetrics> {
    const now = clock()
    const open = { state: { in: ['waiting', 'sending'] } }
    const [queue, states, oldestMail, running, failed, lastCheck, mended] = await Promise.all([
      // An alarm about a failed job ends after a day; the console lists the job until it is deleted.
      readJobCounts(prisma, 24),
      prisma.outboxMail.groupBy({
        by: ['state'],
        where: { state: { in: ['waiting', 'sending', 'failed'] } },
        _count: true,
      }),
      prisma.outboxMail.findFirst({
        where: open,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        select: { createdAt: true },
      }),
      prisma.bulkExport.count({ where: { state: 'running' } }),
      prisma.bulkExport.count({
        where: { state: 'failed', endedAt: { gt: new Date(now.getTime() - dayMs) } },
      }),
      prisma.auditEvent.findFirst({
        where: { action: opsActions.check_chain.audit, subjectKind: 'audit' },
        orderBy: { id: 'desc' },
        select: { detail: true },
      }),
      prisma.auditEvent.findMany({
        where: {
          subjectKind: mendedSubject,
          action: mendedAction,
          at: { gt: new Date(now.getTime() - dayMs) },
        },
        select: { detail: true },
      }),
    ])
    const mails = new Map(states.map(({ state, _count }) => [state, _count]))
    const secondsSince = (date: Date) => Math.max(0, (now.getTime() - date.getTime()) / 1_000)
    return {
      ...queue,
      outbox: {
        waiting: mails.get('waiting') ?? 0,
        sending: mails.get('sending') ?? 0,
        failed: mails.get('failed') ?? 0,
      },
      oldestMailSeconds: oldestMail ? secondsSince(oldestMail.createdAt) : null,
      exports: { running, failed },
      auditChainBroken: lastCheck !== null && !isIntact(lastCheck.detail),
      credentialsMended: mended.reduce((sum, { detail }) => sum + (detail as { wrong: number }).wrong, 0),
    }
  }
}

function isIntact(detail: Prisma.JsonValue): boolean {
  const { verdict } = detail as { verdict?: { intact?: boolean } }
  return verdict?.intact === true
}

// The check that the database's table of live credentials agrees with the records it is derived from.

const mendedAction = 'credentials.mended'
const mendedSubject = 'credentials'

/** Corrects differences and writes an audit row about them, which the metrics count for a day. */
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
