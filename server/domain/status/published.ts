/** What is published of a component: what a person has set, what an open incident says, or what the check found. */
import type { Prisma, StatusCheck, StatusOverride } from '../../../prisma/generated/client/client.ts'
import {
  type CheckedState,
  type CheckName,
  type ComponentId,
  type ComponentState,
  checkStaleSeconds,
} from '../../contract/status/components.ts'
import { type ChangeCause, severity } from '../../contract/status/history.ts'

export type Finding = Readonly<{ state: CheckedState; summary: string }>

export type BoardRow = Readonly<{
  id: ComponentId
  status: ComponentState
  summary: string
  /** What the check found, when people have set something else. */
  automatic: CheckedState | null
  source: ChangeCause
}>

/** What an open incident says of a component. */
type Told = Readonly<{ component: string; state: string; title: string }>

export type Known = Readonly<{
  checks: readonly StatusCheck[]
  overrides: readonly StatusOverride[]
  incidents: readonly Told[]
}>

export const nothingKnown: Known = { checks: [], overrides: [], incidents: [] }

export async function loadKnown(db: Prisma.TransactionClient, now: Date): Promise<Known> {
  const checks = await db.statusCheck.findMany()
  // The newest comes last, and so counts.
  const overrides = await db.statusOverride.findMany({
    where: { endedAt: null, until: { gt: now } },
    orderBy: [{ setAt: 'asc' }, { id: 'asc' }],
  })
  const incidents = await db.incidentComponent.findMany({
    where: { state: { not: 'as_checked' }, incident: { endedAt: null, stage: { not: 'scheduled' } } },
    select: { component: true, state: true, incident: { select: { title: true } } },
    orderBy: [{ incident: { createdAt: 'asc' } }, { incidentId: 'asc' }],
  })
  return {
    checks,
    overrides,
    incidents: incidents.map(({ incident, ...row }) => ({ ...row, title: incident.title })),
  }
}

const never: Finding = { state: 'not_available', summary: 'Not checked yet.' }
const stale: Finding = { state: 'not_available', summary: 'Not checked in the last two minutes.' }

/** What a check says now; one that is old says nothing any more. */
export function findingOf({ checks }: Known, name: CheckName, now: Date): Finding {
  const check = checks.find((each) => each.name === name)
  if (check === undefined) return never
  if (isStale(check, now)) return stale
  return { state: check.state as CheckedState, summary: check.summary }
}

/** Of a check that lies ahead of now as well: its clock was wrong, and nobody knows when it was. */
export function isStale({ checkedAt }: Pick<StatusCheck, 'checkedAt'>, now: Date): boolean {
  return Math.abs(now.getTime() - checkedAt.getTime()) > checkStaleSeconds * 1_000
}

/** A row set by hand comes before incidents, of incidents the one that says the worst. */
export function publish(id: ComponentId, finding: Finding, known: Known, now: Date): BoardRow {
  const override = known.overrides.filter((row) => row.component === id && row.until > now).at(-1)
  if (override !== undefined) {
    return {
      id,
      status: override.state as ComponentState,
      summary: override.summary,
      automatic: finding.state,
      source: 'override',
    }
  }
  const [worst] = known.incidents
    .filter(({ component }) => component === id)
    .toSorted((one, other) => rank(other) - rank(one))
  if (worst !== undefined) {
    return {
      id,
      status: worst.state as ComponentState,
      summary: sentence(worst.title),
      automatic: finding.state,
      source: 'incident',
    }
  }
  return { id, status: finding.state, summary: finding.summary, automatic: null, source: 'automatic' }
}

/** A title stands among sentences, and ends as one. */
const sentence = (title: string) => (/\p{Po}$/u.test(title) ? title : `${title}.`)

const rank = ({ state }: Told) => severity.indexOf(state as ComponentState)
