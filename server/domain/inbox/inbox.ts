import { Prisma } from '../../../prisma/generated/client/client.ts'
import { type SnoozeUntil, snoozeDaysMax, snoozeHour } from '../../contract/forms/inbox.ts'
import { Problem } from '../../contract/http/problems.ts'
import { opsActions } from '../../contract/portal/ops-actions.ts'
import { type Listed, type PageAsk, readPage, searchPatterns } from '../../contract/portal/paging.ts'
import { isLastStage, stagesOf } from '../../contract/status/incidents.ts'
import { awaitedSteps, type InboxKind, rolesOf } from '../../contract/workflows/inbox.ts'
import { type DoneEvent, doneDays, doneWords } from '../../contract/workflows/inbox-done.ts'
import type { InboxRole } from '../../contract/workflows/inbox-steps.ts'
import { addDays, dateIn, instantIn, weekdayOf } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { nameOf, partyOf, type Reader, reachOf, rolesOfPerson } from './entry.ts'
import { type Reach, within } from './subjects.ts'
import { type Db, findWaiting, mayWait } from './waiting.ts'

/** What waits for a person, of every workflow and besides. */
export { findDigestLink, readSettings, saveSettings, sendDigests, stopDigest } from './digest.ts'
export type { InboxEntry } from './entry.ts'
export { count, list, summary } from './inbox-read.ts'

// Putting an entry of one's own inbox off until a day. It comes back by itself; `waiting.ts` says what brings it back sooner.

type Subject = Readonly<{ kind: InboxKind; id: string }>

/**
 * @param input.zone in which the day begins
 * @throws Problem `not_found` for what is not in the person's inbox, `conflict` for what is due, `validation` (the date)
 */
export async function snooze(
  db: Db,
  { until, zone, ...subject }: Subject & Readonly<{ until: SnoozeUntil; zone: string }>,
  actor: Reader,
): Promise<void> {
  const now = db.clock()
  const back = instantIn(zone, dayOf(until, dateIn(zone, now)), snoozeHour)
  const waiting = await findWaiting(db, actor, { subject })
  if (waiting === null) throw new Problem('not_found')
  const stored = await db.prisma.$executeRaw`
    INSERT INTO portal.inbox_snooze (account_id, subject_kind, subject_id, state, event, due_at, at, until)
    SELECT ${actor.accountId}::uuid, w.kind, w.id, w.state, w.event, w.due_at, ${now}, ${back}
      FROM ${waiting} w WHERE ${mayWait(now)}
    ON CONFLICT (account_id, subject_kind, subject_id) DO UPDATE
       SET state = EXCLUDED.state, event = EXCLUDED.event, due_at = EXCLUDED.due_at, at = EXCLUDED.at,
           until = EXCLUDED.until`
  if (stored > 0) return
  const [there] = await db.prisma.$queryRaw<unknown[]>`SELECT 1 FROM ${waiting} w`
  if (!there) throw new Problem('not_found')
  throw new Problem('conflict', { message: 'It is due within a day, so you can’t snooze it.' })
}

function dayOf(until: SnoozeUntil, today: string): string {
  if (until === 'tomorrow') return addDays(today, 1)
  if (until === 'monday') return addDays(today, (8 - weekdayOf(today)) % 7 || 7)
  if (until <= today)
    throw new Problem('validation', { field: 'date', message: 'Choose a date after today.' })
  if (until > addDays(today, snoozeDaysMax))
    throw new Problem('validation', {
      field: 'date',
      message: `Choose a date within the next ${snoozeDaysMax} days.`,
    })
  return until
}

/** Back into the list at once. What is not snoozed stays as it is. */
export async function wake({ prisma }: Db, { kind, id }: Subject, { accountId }: Reader): Promise<void> {
  await prisma.inboxSnooze.deleteMany({ where: { accountId, subjectKind: kind, subjectId: id } })
}

/** Tick: those whose time has come say nothing any more. */
export async function forgetSnoozes({ prisma }: Pick<Core, 'prisma'>, now: Date): Promise<number> {
  return (await prisma.inboxSnooze.deleteMany({ where: { until: { lte: now } } })).count
}

// The tasks that a person has completed in the last days.

type DoneRow = Readonly<{
  kind: InboxKind
  id: string
  name: string
  event: DoneEvent
  at: Date
  organizationSlug: string | null
  organizationName: string | null
  practiceSlug: string | null
  practiceName: string | null
}>

/** Newest first. */
export async function doneBy(db: Db, { ask }: { ask: PageAsk }, actor: Reader) {
  const roles = await rolesOfPerson(db, actor)
  const [first] = roles
  const patterns = searchPatterns(ask.q)
  const since = new Date(db.clock().getTime() - doneDays * 86_400_000)
  const done =
    first &&
    Prisma.sql`(
    SELECT d.kind, d.id, d.name, d.event, d.at, o.slug AS "organizationSlug", o.name AS "organizationName",
           p.slug AS "practiceSlug", p.name AS "practiceName"
      FROM (${steps(actor, first.realm, reachOf(roles), since)} UNION ALL ${duties(actor, reachOf(roles), since)}) d
        (kind, id, name, event, at, organization_id, practice_id)
      LEFT JOIN portal.organization o ON o.id = d.organization_id
      LEFT JOIN portal.practice p ON p.id = d.practice_id
     WHERE concat_ws(E'\n', d.name, o.name, p.name) ILIKE ALL (${patterns}::text[])) d`
  const listed: Listed<DoneRow> = await readPage(
    ask,
    async () => {
      if (!done) return 0
      const rows = await db.prisma.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM ${done}`
      return rows[0]?.count ?? 0
    },
    async ({ skip, take }) =>
      done
        ? db.prisma.$queryRaw<DoneRow[]>`
            SELECT * FROM ${done} ORDER BY d.at DESC, d.id LIMIT ${take} OFFSET ${skip}`
        : [],
  )
  return {
    ...listed,
    rows: listed.rows.map(({ kind, id, name, event, at, ...row }) => ({
      kind,
      id,
      at,
      realm: first?.realm ?? ('developer' as InboxRole['realm']),
      name: nameOf(kind, name),
      outcome: doneWords[event],
      organization: partyOf(row.organizationSlug, row.organizationName),
      practice: partyOf(row.practiceSlug, row.practiceName),
    })),
  }
}

/** Workflow steps from states that wait for a person of the realm. */
function steps({ accountId }: Reader, realm: InboxRole['realm'], reach: Reach, since: Date): Prisma.Sql {
  const awaited = awaitedSteps
    .filter(({ kind, state, step }) => rolesOf(kind, state, step).some((role) => role.realm === realm))
    .map(({ kind, state }) => `${kind} ${state}`)
  return Prisma.sql`
    SELECT e.subject_kind, e.subject_id, s.name, e.event, e.at, s.organization_id, s.practice_id
      FROM portal.workflow_event e
      JOIN LATERAL (
        SELECT r.name, r.organization_id, NULL::uuid AS practice_id FROM portal.registration r
         WHERE e.subject_kind = 'registration' AND r.id = e.subject_id
        UNION ALL
        SELECT coalesce(nullif(r.name, ''), 'A production key') AS name, r.organization_id, r.practice_id
          FROM portal.production_key_request r
         WHERE e.subject_kind = 'production_key_request' AND r.id = e.subject_id
        UNION ALL
        SELECT r.name, r.organization_id, NULL FROM portal.sandbox_key_request r
         WHERE e.subject_kind = 'sandbox_key_request' AND r.id = e.subject_id
        UNION ALL
        SELECT r.kind, r.organization_id, r.practice_id FROM portal.agreement r
         WHERE e.subject_kind = 'agreement' AND r.id = e.subject_id
        UNION ALL
        SELECT c.name, c.organization_id, r.practice_id
          FROM portal.practice_system_authorization r JOIN portal.client c ON c.id = r.client_id
         WHERE e.subject_kind = 'system_authorization' AND r.id = e.subject_id
      ) s ON ${within(reach, 's.organization_id', 's.practice_id')}
     WHERE e.actor_id = ${accountId}::uuid AND e.at > ${since} AND e.event = ANY (${Object.keys(doneWords)})
       AND e.subject_kind || ' ' || e."from" = ANY (${awaited})`
}

const lastStages = [...stagesOf.incident, ...stagesOf.maintenance].filter(isLastStage)

const failedWork = (['resend_mail', 'leave_mail_unsent', 'retry_job', 'give_up_job'] as const).map(
  (event) => Prisma.sql`WHEN ${opsActions[event].audit} THEN ${event}`,
)

/** What is no workflow says by itself who did it, or the record of changes does. */
function duties({ accountId }: Reader, reach: Reach, since: Date): Prisma.Sql {
  if (reach.realm === 'staff')
    return Prisma.sql`
      SELECT 'role_request', q.id, c.name, 'role_' || q.state, q.decided_at, NULL::uuid, NULL::uuid
        FROM portal.staff_role_request q JOIN portal.account c ON c.id = q.account_id
       WHERE q.decided_by_id = ${accountId}::uuid AND q.decided_at > ${since} AND q.state IN ('approved', 'rejected')
      UNION ALL
      SELECT 'incident', i.id, i.title, 'open_incident', i.created_at, NULL, NULL FROM portal.incident i
       WHERE i.created_by_id = ${accountId}::uuid AND i.created_at > ${since}
      UNION ALL
      SELECT 'incident', i.id, i.title, 'resolve', u.at, NULL, NULL
        FROM portal.incident i JOIN portal.incident_update u ON u.incident_id = i.id
       WHERE u.by_id = ${accountId}::uuid AND u.at > ${since} AND u.stage = ANY (${lastStages})
      UNION ALL
      SELECT k.kind, md5(k.kind || ' ' || k.name)::uuid, k.name, k.event, a.at, NULL, NULL
        FROM portal.audit_event a
        CROSS JOIN LATERAL (SELECT
          CASE a.subject_kind WHEN 'mail' THEN 'failed_email' ELSE 'failed_job' END AS kind,
          coalesce(a.detail ->> 'template', a.detail ->> 'task') AS name,
          CASE a.action ${Prisma.join(failedWork, ' ')} END AS event) k
       WHERE a.subject_kind IN ('mail', 'job') AND a.actor_id = ${accountId} AND a.at > ${since} AND k.event IS NOT NULL`
  const noted = (kind: string, action: string) => Prisma.sql`
    JOIN portal.audit_event a ON a.subject_kind = ${kind} AND a.subject_id = s.id::text AND a.action = ${action}
     AND a.actor_id = ${accountId} AND a.at > ${since}`
  if (reach.realm === 'practice')
    return Prisma.sql`
      SELECT 'access_review', s.id, s.name, 'recertify', a.at, s.organization_id, s.practice_id
        FROM portal.production_key_request s ${noted('production_key_request', 'production_key.recertified')}
       WHERE s.certified_at > ${since} AND ${within(reach, 's.organization_id', 's.practice_id')}
      UNION ALL
      SELECT 'withhold_request', q.id, p.name,
             CASE q.outcome WHEN 'withheld' THEN 'withhold' ELSE 'withholding_declined' END, q.decided_at, NULL, q.practice_id
        FROM portal.withhold_request q JOIN portal.practice p ON p.id = q.practice_id
       WHERE q.decided_by_id = ${accountId}::uuid AND q.decided_at > ${since} AND ${within(reach, 'NULL::uuid', 'q.practice_id')}
      UNION ALL
      SELECT 'access_alert', s.id, s.name, 'check_alert', s.acknowledged_at, NULL, s.practice_id
        FROM portal.access_alert s
       WHERE s.acknowledged_by_id = ${accountId}::uuid AND s.acknowledged_at > ${since}
         AND ${within(reach, 's.practice_id', 's.practice_id')}`
  return Prisma.sql`
    SELECT 'expiring_key', s.id, s.name, 'extend', a.at, s.organization_id, NULL::uuid
      FROM portal.api_key s ${noted('api_key', 'api_key.extended')}
     WHERE s.environment = 'sandbox' AND s.created_at < ${since} AND s.expires_at > ${since}
       AND ${within(reach, 's.organization_id', null)}
    UNION ALL
    SELECT 'production_key_request', s.id, s.name, 'renew', e.at, s.organization_id, s.practice_id
      FROM portal.production_key_request s
      JOIN portal.workflow_event e ON e.subject_kind = 'production_key_request' AND e.subject_id = s.id
       AND e.event = 'renew' AND e.actor_id = ${accountId}::uuid AND e.at > ${since}
     WHERE s.renews_id IS NOT NULL AND ${within(reach, 's.organization_id', 's.practice_id')}`
}
