/**
 * The current state of every component, from the last checks and the open incidents, and from whether the database
 * responds to this read.
 */
import type { Prisma, PrismaClient, StatusCheck } from '../../../prisma/generated/client/client.ts'
import { asProblem, isProblem } from '../../contract/http/problems.ts'
import {
  type CheckedState,
  type CheckName,
  type ComponentId,
  type ComponentState,
  checkStaleSeconds,
  componentIds,
  components,
  isComponentId,
} from '../../contract/status/components.ts'
import { type ChangeCause, severity } from '../../contract/status/history.ts'

export type Board = Readonly<{
  rows: readonly BoardRow[]
  /** The time of the newest check that still counts; now if there is none. */
  checkedAt: Date
  /** Whether our database responded. */
  reachable: boolean
  /** The result of one check, also of the two checks for practices. */
  finding(name: CheckName): Finding
}>

/** A status request waits no longer than this for a database that does not respond. */
const readMs = 2_000

const unreachable: Finding = { state: 'down', summary: 'The database is not responding.' }

export function createStatusBoard({ prisma, clock }: { prisma: PrismaClient; clock: () => Date }) {
  let known: Known = nothingKnown

  async function read(): Promise<Board> {
    const reachable = await refresh()
    const now = clock()
    const fresh = known.checks.filter((check) => !isStale(check, now))
    const finding = (name: CheckName) =>
      !reachable && needsDatabase(name) ? unreachable : findingOf(known, name, now)
    return {
      finding,
      reachable,
      rows: componentIds.map((id) => publish(id, finding(id), known)),
      checkedAt:
        reachable && fresh.length > 0
          ? new Date(Math.max(...fresh.map(({ checkedAt }) => checkedAt.getTime())))
          : now,
    }
  }

  /** @returns false if the database does not respond; the last known results stay */
  async function refresh(): Promise<boolean> {
    try {
      known = await within(readMs, loadKnown(prisma))
      return true
    } catch (error) {
      const problem = asProblem(error)
      if (isProblem(problem) && problem.kind === 'unavailable') return false
      throw error
    }
  }

  /** Whether a component fails without our database: ours, unless it was off. Before the first check, the core ones. */
  function needsDatabase(name: CheckName): boolean {
    if (isComponentId(name) && !components[name].ours) return false
    const last = known.checks.find((check) => check.name === name)?.state
    if (last === undefined) return !isComponentId(name) || components[name].tier === 'core'
    return last !== 'disabled' && last !== 'not_available'
  }

  return { read }
}

export type StatusBoard = ReturnType<typeof createStatusBoard>

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // The message is the pool's own, so that it counts as the same error.
    timer = setTimeout(
      () => reject(new Error('timeout exceeded when trying to connect: no answer')),
      milliseconds,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

// The published state of a component: that of an open incident, or else that of the check.

export type Finding = Readonly<{ state: CheckedState; summary: string }>

export type BoardRow = Readonly<{
  id: ComponentId
  status: ComponentState
  summary: string
  /** The check's state, if an incident sets another one. */
  automatic: CheckedState | null
  source: ChangeCause
}>

/** The state that an open incident sets for a component. */
type IncidentState = Readonly<{ component: string; state: string; title: string }>

type Known = Readonly<{ checks: readonly StatusCheck[]; incidents: readonly IncidentState[] }>

const nothingKnown: Known = { checks: [], incidents: [] }

export async function loadKnown(db: Prisma.TransactionClient): Promise<Known> {
  const checks = await db.statusCheck.findMany()
  const incidents = await db.incidentComponent.findMany({
    where: { state: { not: 'as_checked' }, incident: { endedAt: null, stage: { not: 'scheduled' } } },
    select: { component: true, state: true, incident: { select: { title: true } } },
    orderBy: [{ incident: { createdAt: 'asc' } }, { incidentId: 'asc' }],
  })
  return {
    checks,
    incidents: incidents.map(({ incident, ...row }) => ({ ...row, title: incident.title })),
  }
}

const never: Finding = { state: 'not_available', summary: 'Not checked yet.' }
const stale: Finding = { state: 'not_available', summary: 'Not checked in the last two minutes.' }

/** The result of a check. An old result no longer counts. */
export function findingOf({ checks }: Known, name: CheckName, now: Date): Finding {
  const check = checks.find((row) => row.name === name)
  if (check === undefined) return never
  if (isStale(check, now)) return stale
  return { state: check.state as CheckedState, summary: check.summary }
}

/** A check with a time far ahead is stale too: its clock was wrong. */
export const isStale = ({ checkedAt }: Pick<StatusCheck, 'checkedAt'>, now: Date): boolean =>
  Math.abs(now.getTime() - checkedAt.getTime()) > checkStaleSeconds * 1_000

/** If several incidents affect a component, the most severe one counts. */
export function publish(id: ComponentId, finding: Finding, known: Known): BoardRow {
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

/** Ends a title like a sentence. */
const sentence = (title: string) => (/\p{Po}$/u.test(title) ? title : `${title}.`)

const rank = ({ state }: IncidentState) => severity.indexOf(state as ComponentState)
