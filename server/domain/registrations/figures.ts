/** How well the promise is kept, computed from the log of events and the clocks behind it. */
import { openStates } from '../../contract/workflows/registration-workflow.ts'
import type { Core, Verb } from '../core.ts'
import { requireStaff } from '../staff.ts'
import type { RegistrationReviews, ServiceFigures } from './registration-types.ts'
import { registrationKind } from './transition.ts'

const daysBack = 365

type Counted = {
  enabled: number
  median: number | null
  p95: number | null
  needing: number
  promise: number
  rule: number
}

/** Of the last 365 days, apps and changes of apps. */
export async function serviceFigures({ clock, prisma }: Core): Promise<ServiceFigures> {
  const since = new Date(clock().getTime() - daysBack * 86_400_000)
  const [row] = await prisma.$queryRaw<Counted[]>`
      WITH done AS (
        SELECT e.subject_id AS id,
          (SELECT c.used_days FROM portal.registration_clock c
            WHERE c.registration_id = e.subject_id AND c.kind = 'promise'
            ORDER BY c.started_at DESC LIMIT 1) AS days
        FROM portal.workflow_event e
        JOIN portal.registration r ON r.id = e.subject_id AND r.kind IN ('app', 'change')
        WHERE e.subject_kind = ${registrationKind} AND e.event = 'probe_ok' AND e.at >= ${since})
      SELECT count(*)::int AS enabled,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY days) AS median,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY days) AS p95,
        count(*) FILTER (WHERE EXISTS (
          SELECT 1 FROM portal.workflow_event q
          WHERE q.subject_kind = ${registrationKind} AND q.subject_id = done.id AND q.event = 'request_info'))::int AS needing,
        (SELECT count(*)::int FROM portal.registration_clock c WHERE c.breached_at >= ${since} AND c.kind = 'promise') AS promise,
        (SELECT count(*)::int FROM portal.registration_clock c WHERE c.breached_at >= ${since} AND c.kind <> 'promise') AS rule
      FROM done`
  const { enabled, median, p95, needing, promise, rule } = row as Counted
  return {
    enabled,
    medianBusinessDays: median,
    p95BusinessDays: p95,
    needingInfo: enabled === 0 ? null : needing / enabled,
    promiseBreaches: promise,
    ruleBreaches: rule,
  }
}

export const metrics: Verb<RegistrationReviews['metrics']> = async (core, actor) => {
  const { prisma } = core
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const open = await prisma.registration.count({
    where: { state: { in: [...openStates] }, receivedAt: { not: null } },
  })
  return { ...(await serviceFigures(core)), open }
}
