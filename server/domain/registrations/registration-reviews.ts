import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import type { ServiceFigures, Target } from './registration-types.ts'
import { checkReviewText } from './steps.ts'
import { type Context, registrationKind, transition } from './transition.ts'

export { getReview as get } from './read-review.ts'
export {
  approve,
  claim,
  dismissRejection,
  note,
  proposeRejection,
  reject,
  requestInfo,
  validateConfiguration,
  verifyAuthenticity,
} from './reviews.ts'

// How often the promised time is met, computed from the events and the clocks.

const daysBack = 365

type FigureRow = {
  enabled: number
  median: number | null
  p95: number | null
  needing: number
  promise: number
  rule: number
}

/** Figures of the last 365 days, for apps and changes of apps. */
export async function serviceFigures({ clock, prisma }: Core): Promise<ServiceFigures> {
  const since = new Date(clock().getTime() - daysBack * 86_400_000)
  const [row] = await prisma.$queryRaw<FigureRow[]>`
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
  const { enabled, median, p95, needing, promise, rule } = row as FigureRow
  return {
    enabled,
    medianBusinessDays: median,
    p95BusinessDays: p95,
    needingInfo: enabled === 0 ? null : needing / enabled,
    promiseBreaches: promise,
    ruleBreaches: rule,
  }
}

/** Suspends the app's production client; for operations. */
export async function suspend(
  core: Core,
  { reason, evidence, ...target }: Target & Readonly<{ reason: string; evidence: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('reason', reason, actor)
  const evidenceText = checkReviewText('evidence', evidence, actor)
  await transition(core, target, 'suspend', actor, {
    guards,
    effects: async (context) => {
      await setClient(context, { suspendedAt: context.now })
      const at = context.now.toISOString()
      return {
        text: words,
        detail: { evidence: evidenceText },
        emails: () => ({
          'registration-suspended': { reason: words, at },
          'registration-suspended-practice': { at },
        }),
      }
    },
  })
}

export async function reinstate(
  core: Core,
  { reason, ...target }: Target & Readonly<{ reason: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('reason', reason, actor)
  await transition(core, target, 'reinstate', actor, {
    guards,
    effects: async (context) => {
      await setClient(context, { suspendedAt: null })
      return { text: words, emails: () => ({ 'registration-reinstated': { reason: words } }) }
    },
  })
}

export async function retire(
  core: Core,
  { reason, ...target }: Target & Readonly<{ reason: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('reason', reason, actor)
  await transition(core, target, 'retire', actor, {
    guards,
    effects: async (context) => {
      await setClient(context, { removedAt: context.now })
      return {
        data: { endedAt: context.now },
        text: words,
        emails: () => ({ 'registration-retired': { reason: words } }),
      }
    },
  })
}

/** Starts the probe again after its five attempts have failed. */
export async function retry(
  core: Core,
  { reason, ...target }: Target & Readonly<{ reason: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('reason', reason, actor)
  await transition(core, target, 'retry', actor, {
    effects: async ({ tx, row, now }) => {
      const { id: registrationId } = row
      await core.jobs.add(
        tx,
        'enable-registration',
        { registrationId },
        { jobKey: `enable:${registrationId}` },
      )
      return { data: { probeAttempts: 0, probeDueAt: now }, text: words }
    },
  })
}

const guards = { app_registered: ({ row }: Context) => void clientOf(row) }

/** @throws Problem `conflict` if the request has no production client */
function clientOf({ productionClientId }: Context['row']): string {
  if (!productionClientId) throw new Problem('conflict', { message: 'This request is not about an app.' })
  return productionClientId
}

async function setClient({ tx, row }: Context, data: { suspendedAt: Date | null } | { removedAt: Date }) {
  await tx.client.update({ where: { id: clientOf(row) }, data })
}
