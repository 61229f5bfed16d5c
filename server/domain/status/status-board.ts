/**
 * The state of every component as it stands now: the last checks, what open incidents say of them, and the one thing
 * that is seen by reading itself, whether our database answers.
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
  /** The newest check that still counts; without one, now. */
  checkedAt: Date
  /** Whether our database answered. */
  reachable: boolean
  /** One check, a practice's two included. */
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

  /** @returns false when the database does not answer; what was known before still stands */
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

  /** Ours, unless it was off or unchecked before: what is not there cannot break. Before any check, what is core. */
  function needsDatabase(name: CheckName): boolean {
    if (isComponentId(name) && !components[name].ours) return false
    const last = known.checks.find((each) => each.name === name)?.state
    if (last === undefined) return !isComponentId(name) || components[name].tier === 'core'
    return last !== 'disabled' && last !== 'not_available'
  }

  return { read }
}

export type StatusBoard = ReturnType<typeof createStatusBoard>

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // In the words in which the pool says it, so that it is one cause to everybody.
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

// What is published of a component: what an open incident says, or what the check found.

export type Finding = Readonly<{ state: CheckedState; summary: string }>

export type BoardRow = Readonly<{
  id: ComponentId
  status: ComponentState
  summary: string
  /** What the check found, when an incident says something else. */
  automatic: CheckedState | null
  source: ChangeCause
}>

/** What an open incident says of a component. */
type Told = Readonly<{ component: string; state: string; title: string }>

type Known = Readonly<{ checks: readonly StatusCheck[]; incidents: readonly Told[] }>

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

/** What a check says now; one that is old says nothing any more. */
export function findingOf({ checks }: Known, name: CheckName, now: Date): Finding {
  const check = checks.find((each) => each.name === name)
  if (check === undefined) return never
  if (isStale(check, now)) return stale
  return { state: check.state as CheckedState, summary: check.summary }
}

/** Of a check that lies ahead of now as well: its clock was wrong, so its time is unknown. */
export const isStale = ({ checkedAt }: Pick<StatusCheck, 'checkedAt'>, now: Date): boolean =>
  Math.abs(now.getTime() - checkedAt.getTime()) > checkStaleSeconds * 1_000

/** Of several incidents, the one that says the worst. */
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

/** A title stands among sentences, and ends as one. */
const sentence = (title: string) => (/\p{Po}$/u.test(title) ? title : `${title}.`)

const rank = ({ state }: Told) => severity.indexOf(state as ComponentState)
