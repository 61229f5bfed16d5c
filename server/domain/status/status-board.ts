/**
 * The state of every component as it stands now: the last checks, what people have set over them, and the one thing
 * that is seen by reading itself, whether our database answers.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { asProblem, isProblem } from '../../contract/http/problems.ts'
import { type CheckName, componentIds, components, isComponentId } from '../../contract/status/components.ts'
import {
  type BoardRow,
  type Finding,
  findingOf,
  isStale,
  type Known,
  loadKnown,
  nothingKnown,
  publish,
} from './published.ts'

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
      rows: componentIds.map((id) => publish(id, finding(id), known, now)),
      checkedAt:
        reachable && fresh.length > 0
          ? new Date(Math.max(...fresh.map(({ checkedAt }) => checkedAt.getTime())))
          : now,
    }
  }

  /** @returns false when the database does not answer; what was known before still stands */
  async function refresh(): Promise<boolean> {
    try {
      known = await within(readMs, loadKnown(prisma, clock()))
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
