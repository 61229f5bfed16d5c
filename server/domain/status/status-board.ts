/**
 * The state of every component as it stands now: the last checks, what was set by hand over them, and the one thing
 * that is seen by reading itself, whether our database answers.
 */
import type { PrismaClient, StatusCheck, StatusOverride } from '../../../prisma/generated/client/client.ts'
import {
  type CheckedState,
  type CheckName,
  type ComponentId,
  type ComponentState,
  checkStaleSeconds,
  componentIds,
  components,
  isComponentId,
} from '../../contract/components.ts'
import { isProblem } from '../../contract/problems.ts'
import { asProblem } from '../../store/pool.ts'

export type Finding = Readonly<{ state: CheckedState; summary: string }>

export type BoardRow = Readonly<{
  id: ComponentId
  status: ComponentState
  summary: string
  /** What the check found, when a person has set something else. */
  automatic: CheckedState | null
}>

export type Board = Readonly<{
  rows: readonly BoardRow[]
  /** The newest check that still counts; without one, now. */
  checkedAt: Date
  /** One check, a practice's two included. */
  finding(name: CheckName): Finding
}>

type Known = { checks: readonly StatusCheck[]; overrides: readonly StatusOverride[] }

/** Whoever asks for the status waits no longer for a database that does not answer. */
const readMs = 2_000

const stale: Finding = { state: 'not_available', summary: 'Not checked in the last two minutes.' }
const unreachable: Finding = { state: 'down', summary: 'The database does not answer.' }

export function createStatusBoard({ prisma, clock }: { prisma: PrismaClient; clock: () => Date }) {
  let known: Known = { checks: [], overrides: [] }

  async function read(): Promise<Board> {
    const reachable = await refresh()
    const now = clock()
    const oldest = now.getTime() - checkStaleSeconds * 1_000
    const fresh = known.checks.filter(({ checkedAt }) => checkedAt.getTime() >= oldest)
    const overrides = new Map(
      known.overrides.filter(({ until }) => until > now).map((override) => [override.component, override]),
    )

    function finding(name: CheckName): Finding {
      if (!reachable && needsDatabase(name)) return unreachable
      const check = fresh.find((each) => each.name === name)
      return check ? { state: check.state as CheckedState, summary: check.summary } : stale
    }

    return {
      finding,
      rows: componentIds.map((id) => rowOf(id, finding(id), overrides.get(id))),
      checkedAt: reachable ? newest(fresh, now) : now,
    }
  }

  /** @returns false when the database does not answer; what was known before still stands */
  async function refresh(): Promise<boolean> {
    try {
      known = await within(readMs, load(clock()))
      return true
    } catch (error) {
      const problem = asProblem(error)
      if (isProblem(problem) && problem.kind === 'unavailable') return false
      throw error
    }
  }

  async function load(now: Date): Promise<Known> {
    const [checks, overrides] = await Promise.all([
      prisma.statusCheck.findMany(),
      // The newest comes last, and so counts.
      prisma.statusOverride.findMany({
        where: { endedAt: null, until: { gt: now } },
        orderBy: [{ setAt: 'asc' }, { id: 'asc' }],
      }),
    ])
    return { checks, overrides }
  }

  /** Ours, unless it was off or unchecked before: what is not there cannot break. */
  function needsDatabase(name: CheckName): boolean {
    if (isComponentId(name) && !components[name].ours) return false
    const last = known.checks.find((each) => each.name === name)?.state
    return last !== undefined && last !== 'disabled' && last !== 'not_available'
  }

  return { read }
}

export type StatusBoard = ReturnType<typeof createStatusBoard>

function rowOf(id: ComponentId, finding: Finding, override: StatusOverride | undefined): BoardRow {
  if (override === undefined) return { id, status: finding.state, summary: finding.summary, automatic: null }
  return {
    id,
    status: override.state as ComponentState,
    summary: override.summary,
    automatic: finding.state,
  }
}

function newest(checks: readonly StatusCheck[], now: Date): Date {
  if (checks.length === 0) return now
  return new Date(Math.max(...checks.map(({ checkedAt }) => checkedAt.getTime())))
}

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
