/** Keeps what the checks found, one row a check, and writes down what came of it. */
import { Prisma, type StatusCheck } from '../../../prisma/generated/client/client.ts'
import type { CheckedState, CheckName } from '../../contract/status/components.ts'
import { roundSpacingSeconds, settledState } from '../../contract/status/history.ts'
import type { Core } from '../core.ts'
import { type Finding, isStale } from './status-board.ts'
import * as history from './status-history.ts'

type Found = Finding & { name: CheckName }

/**
 * All or none. A row that was told before turns when two rounds say so. One of which nothing is known, or nothing
 * fresh, is told at once when it works, and after a second round when it does not. What comes too soon after the last round, or late, is of a round that was counted.
 */
export async function saveChecks(core: Core, findings: readonly Found[], checkedAt: Date): Promise<void> {
  const { prisma } = core
  if (findings.length === 0) return
  await prisma.$transaction(async (tx) => {
    await history.begin(tx)
    const before = new Map((await tx.statusCheck.findMany()).map((row) => [row.name, row]))
    const rows = findings
      .map((found) => rowOf(found, before.get(found.name), checkedAt))
      .filter((row) => row !== null)
    if (rows.length > 0) await keep(tx, rows)
    await history.record(core, tx, checkedAt, { round: true })
  })
}

const troubles: ReadonlySet<string> = new Set<CheckedState>(['degraded', 'down'])
const unconfirmed: Finding = {
  state: 'not_available',
  summary: 'Not checked yet: the next check confirms the first result.',
}

/** What is kept of a finding; null when its round was counted already. */
function rowOf({ name, state, summary }: Found, before: StatusCheck | undefined, checkedAt: Date) {
  const seen = { name, seenState: state, seenSummary: summary, checkedAt }
  const isTrouble = troubles.has(state)
  // A server that has just started may answer too late once: nothing is called down before a second look.
  if (before === undefined || isStale(before, checkedAt))
    return isTrouble ? { ...seen, ...unconfirmed } : { ...seen, state, summary }
  if (checkedAt.getTime() - before.checkedAt.getTime() < roundSpacingSeconds * 1_000) return null
  if (before.summary === unconfirmed.summary && !isTrouble) return { ...seen, state, summary }
  const published = settledState(before.state as CheckedState, before.seenState as CheckedState, state)
  // In the newest words that were found for this state.
  if (published === state) return { ...seen, state, summary }
  return {
    ...seen,
    state: published,
    summary: published === before.seenState ? before.seenSummary : before.summary,
  }
}

async function keep(tx: Prisma.TransactionClient, rows: readonly StatusCheck[]): Promise<void> {
  const values = rows.map(
    (row) =>
      Prisma.sql`(${row.name}, ${row.state}, ${row.summary}, ${row.checkedAt}::timestamptz, ${row.seenState}, ${row.seenSummary})`,
  )
  await tx.$executeRaw`
    INSERT INTO portal.status_check (name, state, summary, checked_at, seen_state, seen_summary)
    VALUES ${Prisma.join(values)}
    ON CONFLICT (name) DO UPDATE
      SET state = excluded.state, summary = excluded.summary, checked_at = excluded.checked_at,
          seen_state = excluded.seen_state, seen_summary = excluded.seen_summary`
}
