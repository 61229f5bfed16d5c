/** Registrations, prepared for pages. */

import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { logStart } from '../../contract/keys/key-life.ts'
import { organizationRoles } from '../../contract/portal/organization-roles.ts'
import {
  type Listed,
  listedOf,
  type PageAsk,
  pageRows,
  searchPatterns,
} from '../../contract/portal/paging.ts'
import { infoReasons } from '../../contract/workflows/registration-checks.ts'
import {
  type RegistrationKind,
  type RegistrationState,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import { waitingOn } from '../../contract/workflows/waiting-on.ts'
import type { OrganizationActor } from '../../contract/workflows/workflows.ts'
import { accountNames } from '../accounts/account-names.ts'
import type { Actor } from '../actor.ts'
import { type OfficeCalendar, remainingDays, usedDays } from '../business-days/business-days.ts'
import type { Core } from '../core.ts'
import { findOrganizationParty, type Member, requireRole } from '../organizations/membership.ts'
import { findRow } from './parties.ts'
import type { Authenticity, ClockKind, Configuration } from './registration-types.ts'
import { readForm } from './stored-form.ts'
import { registrationKind } from './transition.ts'

export const summaryFields = {
  organization: { select: { name: true } },
  clocks: {
    include: { pauses: { orderBy: { pausedAt: 'asc' } } },
    orderBy: [{ startedAt: 'asc' }, { kind: 'desc' }],
  },
} as const satisfies Prisma.RegistrationInclude

type SummaryRow = Prisma.RegistrationGetPayload<{ include: typeof summaryFields }>
type ClockRow = SummaryRow['clocks'][number]

export type RegistrationSummary = ReturnType<typeof toSummary>

type WaitingOn = 'developer' | 'us' | 'nobody'

export function toSummary(row: SummaryRow, { calendar, now }: { calendar: OfficeCalendar; now: Date }) {
  const state = row.state as RegistrationState
  return {
    id: row.id,
    kind: row.kind as RegistrationKind,
    name: row.name,
    organizationId: row.organizationId,
    organizationName: row.organization.name,
    state,
    waitingOn: waitingOn('registration', state) as WaitingOn,
    version: row.version,
    authenticity: row.authenticity as Authenticity,
    configuration: row.configuration as Configuration,
    clocks: row.clocks.map((clock) => toClock(clock, calendar.dateOf(now))),
    receivedAt: row.receivedAt,
    updatedAt: row.updatedAt,
    /** The key or app that a request for limits or a term is about. */
    subjectId: row.subjectId,
  }
}

export type Clock = ReturnType<typeof toClock>

function toClock(row: ClockRow, today: string) {
  const { days, receivedOn, dueAt, stoppedAt, breachedAt } = row
  return {
    kind: row.kind as ClockKind,
    /** Business days that it allows. */
    days,
    /** A calendar date of the office zone, `yyyy-mm-dd`. */
    receivedOn,
    /** The last second of the due date; both zones are shown from it. */
    dueAt,
    state: stoppedAt ? ('stopped' as const) : row.pausedOn ? ('paused' as const) : ('running' as const),
    /** Business days, by now or until it stopped. */
    usedDays: row.usedDays ?? usedDays(row, today),
    remainingDays: stoppedAt ? 0 : remainingDays(row, today),
    breachedAt,
    pauses: row.pauses.map(({ pausedAt, resumedAt, remaining }) => ({
      pausedAt,
      resumedAt,
      remainingDays: remaining,
    })),
  }
}

/** A reviewer's question, and the answer. */
function toItem(row: Prisma.RegistrationItemGetPayload<object>) {
  const { id, round, code, text, visibleEarlier, askedAt, answer } = row
  return {
    id,
    round,
    sentence: infoReasons[code as keyof typeof infoReasons].sentence,
    text,
    /** The question could have been raised in the first round, so the clock was not paused for it. */
    visibleEarlier,
    askedAt,
    answer,
  }
}

/** Steps that only staff see in the timeline. */
const notForDevelopers: readonly string[] = [
  'assign',
  'propose_rejection',
  'dismiss_rejection',
  'clock_60',
  'clock_80',
]
const notWorthALine: readonly string[] = ['save']

/** @param names of people by account id */
function toTimeline(
  events: readonly Prisma.WorkflowEventGetPayload<object>[],
  { names, forStaff }: { names: ReadonlyMap<string, string>; forStaff: boolean },
) {
  return events
    .filter(({ event }) => !notWorthALine.includes(event) && (forStaff || !notForDevelopers.includes(event)))
    .map(({ at, event, actorKind, actorId, codes, text }) => ({
      at,
      /** An event of the workflow, or `clock_60`, `clock_80`, `clock_breach`. */
      event,
      by: nameOf({ actorKind, actorId }, names, forStaff),
      codes,
      // The evidence that a reviewer wrote is for staff only.
      text: forStaff || event !== 'verify_authenticity' ? text : null,
    }))
}

function nameOf(
  { actorKind, actorId }: { actorKind: string; actorId: string | null },
  names: ReadonlyMap<string, string>,
  forStaff: boolean,
): string {
  if (actorKind === 'system') return 'Sandpiper'
  if (!forStaff && actorKind === 'reviewer') return 'A reviewer'
  if (!forStaff && actorKind === 'ops') return 'Operations'
  return (actorId && names.get(actorId)) || 'A former member'
}

/** The events that the table lists for a reader in the present state. */
function allowedEvents({ state }: Pick<Registration, 'state'>, kind: OrganizationActor) {
  return registrationWorkflow.rows
    .filter(({ from, actors }) => from === state && (actors as readonly string[]).includes(kind))
    .map(({ event }) => event)
}

// Registrations as members of their organization see them.

const viewFields = {
  ...summaryFields,
  claimedBy: { select: { name: true } },
  versions: { orderBy: { number: 'asc' } },
  items: { orderBy: [{ round: 'asc' }, { id: 'asc' }] },
  notes: { orderBy: { at: 'asc' }, include: { by: { select: { name: true } } } },
} as const satisfies Prisma.RegistrationInclude

type ViewRow = Prisma.RegistrationGetPayload<{ include: typeof viewFields }>

const present = ({ calendar, clock }: Core, row: SummaryRow) => toSummary(row, { calendar, now: clock() })

/**
 * The organization's requests, the latest changed first; all of them unless `states` are given.
 * @throws Problem `not_found` unless the actor is a member
 */
export async function list(
  core: Core,
  organizationId: string,
  { accountId }: Pick<Actor, 'accountId'>,
  states?: readonly RegistrationState[],
): Promise<readonly RegistrationSummary[]> {
  const { prisma } = core
  await requireRole(prisma, { organizationId, accountId }, organizationRoles)
  const rows = await prisma.registration.findMany({
    where: { organizationId, ...(states && { state: { in: [...states] } }) },
    include: summaryFields,
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
    take: 500,
  })
  return rows.map((row) => present(core, row))
}

/** A row of the list of apps. */
export type ListedApp = Readonly<{
  id: string
  name: string
  /** Null for a client that was registered without a request. */
  request:
    | (Pick<RegistrationSummary, 'id' | 'kind' | 'state' | 'waitingOn' | 'updatedAt'> & { isTested: boolean })
    | null
  clients: readonly Readonly<{
    clientId: string
    environment: 'sandbox' | 'production'
    audience: 'patient' | 'clinician' | 'backend'
    isSuspended: boolean
    /** Calls on this UTC day, from the log. */
    today: Readonly<{ calls: number; refused: number }>
  }>[]
}>

type AppRow = Omit<ListedApp, 'request'> &
  Readonly<{
    kind: RegistrationKind | null
    state: RegistrationState
    updatedAt: Date
    /** The sandbox client has had a token. */
    isTested: boolean
  }>

/** Requests with their clients, the latest changed first; then clients without a request. */
export async function listApps(core: Core, member: Member, ask: PageAsk): Promise<Listed<ListedApp>> {
  const { prisma, clock } = core
  const { organizationId } = member
  await requireRole(prisma, member, organizationRoles)
  const take = ask.rows ?? pageRows
  type Row = { total: number } & (AppRow | { id: null })
  const found = await prisma.$queryRaw<[Row, ...Row[]]>`
    WITH app (place, id, name, kind, state, at, sandbox, production) AS (
      SELECT 1, r.id::text, r.name, r.kind, r.state, r.updated_at, r.sandbox_client_id, r.production_client_id
        FROM portal.registration r WHERE r.organization_id = ${organizationId}::uuid
      UNION ALL
      SELECT 2, c.id, c.name, NULL, NULL, c.created_at, c.id, NULL FROM portal.client c
       WHERE c.organization_id = ${organizationId}::uuid AND c.removed_at IS NULL
         AND NOT EXISTS (SELECT FROM portal.registration r WHERE r.sandbox_client_id = c.id)
         AND NOT EXISTS (SELECT FROM portal.registration r WHERE r.production_client_id = c.id)
    ), matching AS (
      SELECT * FROM app WHERE concat_ws(E'\n', name, sandbox, production) ILIKE ALL (${searchPatterns(ask.q)}::text[])
    )
    SELECT counted.total, a.id, a.name, a.kind, a.state, a.at AS "updatedAt",
           EXISTS (SELECT FROM portal."grant" g WHERE g.client_id = a.sandbox) AS "isTested",
           (SELECT coalesce(jsonb_agg(jsonb_build_object('clientId', c.id, 'environment', c.environment, 'audience',
                     c.audience, 'isSuspended', c.suspended_at IS NOT NULL, 'today', jsonb_build_object('calls', l.calls,
                     'refused', l.refused)) ORDER BY c.environment), '[]')
              FROM portal.client c CROSS JOIN LATERAL (
                SELECT coalesce(sum(count), 0) AS calls, coalesce(sum(count) FILTER (WHERE refusal IS NOT NULL), 0) AS refused
                  FROM log.activity WHERE client_id = c.id AND at >= ${logStart('today', clock())}) l
             WHERE c.id IN (a.sandbox, a.production) AND c.organization_id = ${organizationId}::uuid
               AND c.removed_at IS NULL) AS clients
      FROM (SELECT count(*)::int AS total FROM matching) counted
      LEFT JOIN (SELECT * FROM matching ORDER BY place, at DESC, id
                  LIMIT ${take} OFFSET ${(ask.page - 1) * take}) a ON true
     ORDER BY a.place, a.at DESC, a.id`
  const apps = found.filter((row): row is Row & AppRow => row.id !== null)
  const listed = listedOf(ask, apps, found[0].total)
  // A page number past the end shows the last page.
  if (listed.page < ask.page) return listApps(core, member, { ...ask, page: listed.page })
  return {
    ...listed,
    rows: apps.map(({ id, name, kind, state, updatedAt, isTested, clients }) => ({
      ...{ id, name, clients },
      request: kind && {
        ...{ id, kind, state, updatedAt, isTested },
        waitingOn: waitingOn('registration', state) as WaitingOn,
      },
    })),
  }
}

/** @throws Problem `not_found` unless the actor is a member of its organization */
export async function get(core: Core, registrationId: string, actor: Pick<Actor, 'accountId'>) {
  const { prisma } = core
  const row = await find(core, registrationId)
  const party = await findOrganizationParty(prisma, row, actor)
  if (party.kind === 'reviewer' || party.kind === 'ops') throw new Problem('not_found')
  return toView(core, row, { kind: party.kind, forStaff: false })
}

/** Reads less than `get`, for a page's action, which passes `read` to the step. @throws Problem `not_found` as `get` */
export async function open({ prisma }: Core, registrationId: string, actor: Pick<Actor, 'accountId'>) {
  const read = await findRow(prisma, registrationId)
  if (!read) throw new Problem('not_found')
  const { kind } = await findOrganizationParty(prisma, read, actor)
  if (kind === 'reviewer' || kind === 'ops') throw new Problem('not_found')
  const { id, organizationId, version } = read
  const state = read.state as RegistrationState
  return { id, organizationId, state, version, form: readForm(read.form), read }
}

/** @throws Problem `not_found` */
export async function find({ prisma }: Core, registrationId: string): Promise<ViewRow> {
  const row = await prisma.registration.findUnique({
    where: { id: rowId(registrationId) },
    include: viewFields,
  })
  if (!row) throw new Problem('not_found')
  return row
}

export type RegistrationView = Awaited<ReturnType<typeof toView>>

export async function toView(
  core: Core,
  row: ViewRow,
  { kind, forStaff }: { kind: OrganizationActor; forStaff: boolean },
) {
  const { prisma } = core
  const replaced = (row.requested as { replaces?: number | null } | null)?.replaces ?? null
  const [events, change, failedEmails, before] = await Promise.all([
    prisma.workflowEvent.findMany({
      where: { subjectKind: registrationKind, subjectId: row.id },
      orderBy: { id: 'asc' },
    }),
    prisma.registration.findUnique({ where: { openForId: row.id }, select: { id: true } }),
    prisma.outboxMail.count({ where: { threadId: row.id, state: 'failed' } }),
    row.kind === 'change' && row.parentId !== null && replaced !== null
      ? prisma.registrationVersion.findUnique({
          where: { registrationId_number: { registrationId: row.parentId, number: replaced } },
        })
      : null,
  ])
  const names = await accountNames(
    prisma,
    events.map(({ actorId }) => actorId),
  )
  const formOf = (number: number | null) => {
    const version = row.versions.find((candidate) => candidate.number === number)
    return version ? readForm(version.form) : null
  }
  return {
    ...present(core, row),
    form: readForm(row.form),
    /** The form that was submitted last; null for a draft. */
    submitted: formOf(row.submittedNumber),
    /** The form that production serves. */
    serving: formOf(row.servingNumber),
    /** The form that production served when a change was requested. */
    replaces: before && readForm(before.form),
    /** The reason of a request that is not for a new app, and below the registration that a change is about. */
    reason: row.reason,
    parentId: row.parentId,
    requested: row.kind === 'change' ? null : (row.requested as Record<string, unknown> | null),
    sandboxClientId: row.sandboxClientId,
    productionClientId: row.productionClientId,
    /** An open change of this app. */
    openChangeId: change?.id ?? null,
    items: row.items.map(toItem),
    timeline: toTimeline(events, { names, forStaff }),
    versions: row.versions.map(({ number, at, form }) => ({ number, at, form: readForm(form) })),
    /** Events that the reader may cause now. */
    allowed: allowedEvents(row, kind),
    /** Why the last probe failed, while the app is being enabled. */
    probeFailure: row.probeFailure,
    /** An email about this request could not be delivered. */
    unreachable: failedEmails > 0,
  }
}
