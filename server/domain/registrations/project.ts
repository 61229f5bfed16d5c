/** Rows of a registration as pages see them. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { infoReasons } from '../../contract/workflows/registration-checks.ts'
import {
  type RegistrationEventName,
  type RegistrationKind,
  type RegistrationState,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import { waitingOn } from '../../contract/workflows/waiting-on.ts'
import { type OfficeCalendar, remainingDays, usedDays } from '../business-days/business-days.ts'
import type { PartyKind } from './parties.ts'
import type {
  Authenticity,
  Clock,
  ClockKind,
  Configuration,
  RegistrationSummary,
  RequestedItem,
  TimelineEntry,
} from './registration-types.ts'

export const summaryFields = {
  organization: { select: { name: true, slug: true } },
  clocks: {
    include: { pauses: { orderBy: { pausedAt: 'asc' } } },
    orderBy: [{ startedAt: 'asc' }, { kind: 'desc' }],
  },
} as const satisfies Prisma.RegistrationInclude

export type SummaryRow = Prisma.RegistrationGetPayload<{ include: typeof summaryFields }>
type ClockRow = SummaryRow['clocks'][number]

export function toSummary(
  row: SummaryRow,
  { calendar, now }: { calendar: OfficeCalendar; now: Date },
): RegistrationSummary {
  const state = row.state as RegistrationState
  return {
    id: row.id,
    kind: row.kind as RegistrationKind,
    name: row.name,
    organizationId: row.organizationId,
    organizationName: row.organization.name,
    organizationSlug: row.organization.slug,
    state,
    waitingOn: waitingOn('registration', state) as RegistrationSummary['waitingOn'],
    version: row.version,
    authenticity: row.authenticity as Authenticity,
    configuration: row.configuration as Configuration,
    clocks: row.clocks.map((clock) => toClock(clock, calendar.dateOf(now))),
    receivedAt: row.receivedAt,
    updatedAt: row.updatedAt,
    subjectId: row.subjectId,
  }
}

function toClock(row: ClockRow, today: string): Clock {
  const { days, receivedOn, dueOn, dueAt, stoppedAt, breachedAt } = row
  return {
    kind: row.kind as ClockKind,
    days,
    receivedOn,
    dueOn,
    dueAt,
    state: stoppedAt ? 'stopped' : row.pausedOn ? 'paused' : 'running',
    usedDays: row.usedDays ?? usedDays(row, today),
    remainingDays: stoppedAt ? 0 : remainingDays(row, today),
    breachedAt,
    stoppedAt,
    pauses: row.pauses.map(({ pausedAt, resumedAt, remaining, dueOn: dueAfter }) => ({
      pausedAt,
      resumedAt,
      remainingDays: remaining,
      dueOn: dueAfter,
    })),
  }
}

export function toItem(row: Prisma.RegistrationItemGetPayload<object>): RequestedItem {
  const { id, round, code, text, visibleEarlier, askedAt, answer, answeredAt } = row
  const reason = infoReasons[code as keyof typeof infoReasons]
  return {
    id,
    round,
    code,
    check: reason.check,
    sentence: reason.sentence,
    text,
    visibleEarlier,
    askedAt,
    answer,
    answeredAt,
  }
}

/** Steps that are between reviewers, or not worth a line. */
const notForDevelopers: readonly string[] = [
  'assign',
  'propose_rejection',
  'dismiss_rejection',
  'clock_60',
  'clock_80',
]
const notWorthALine: readonly string[] = ['save']

/** @param names of people by account id */
export function toTimeline(
  events: readonly Prisma.WorkflowEventGetPayload<object>[],
  { names, forStaff }: { names: ReadonlyMap<string, string>; forStaff: boolean },
): TimelineEntry[] {
  return events
    .filter(({ event }) => !notWorthALine.includes(event) && (forStaff || !notForDevelopers.includes(event)))
    .map(({ at, event, from, to, actorKind, actorId, codes, text }) => ({
      at,
      event,
      from: from as RegistrationState | null,
      to: to as RegistrationState,
      by: nameOf({ actorKind, actorId }, names, forStaff),
      codes,
      // What a reviewer wrote for colleagues as evidence stays among them.
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
export function allowedEvents(
  { state }: Pick<Registration, 'state'>,
  kind: PartyKind,
): RegistrationEventName[] {
  return registrationWorkflow.rows
    .filter(({ from, actors }) => from === state && (actors as readonly string[]).includes(kind))
    .map(({ event }) => event)
}
