/** Stores the results of the checks, one row for each check, and the history. */
import { Prisma, type StatusCheck } from '../../../prisma/generated/client/client.ts'
import type { CheckedState, CheckName } from '../../contract/status/components.ts'
import { roundSpacingSeconds, settledState } from '../../contract/status/history.ts'
import type { Core } from '../core.ts'
import { type Finding, isStale } from './status-board.ts'
import * as history from './status-history.ts'

type Result = Finding & { name: CheckName }

/**
 * Stores all findings or none. A published state changes after two rounds with the new state. Without a fresh result,
 * `operational` is published at once, and trouble after a second round. A finding that comes too soon after the last
 * round, or late, belongs to a round that was counted.
 */
export async function saveChecks(core: Core, findings: readonly Result[], checkedAt: Date): Promise<void> {
  const { prisma } = core
  if (findings.length === 0) return
  await prisma.$transaction(async (tx) => {
    await history.begin(tx)
    const before = new Map((await tx.statusCheck.findMany()).map((row) => [row.name, row]))
    const rows = findings
      .map((found) => rowOf(found, before.get(found.name), checkedAt))
      .filter((row) => row !== null)
    if (rows.length > 0) await upsert(tx, rows)
    await history.record(core, tx, checkedAt, { round: true })
  })
}

const troubles: ReadonlySet<string> = new Set<CheckedState>(['degraded', 'down'])
const unconfirmed: Finding = {
  state: 'not_available',
  summary: 'Not checked yet: the next check confirms the first result.',
}

/** The row for a finding; null if its round was counted already. */
function rowOf({ name, state, summary }: Result, before: StatusCheck | undefined, checkedAt: Date) {
  const seen = { name, seenState: state, seenSummary: summary, checkedAt }
  const isTrouble = troubles.has(state)
  // A server that has just started may respond late once, so trouble needs a second round.
  if (before === undefined || isStale(before, checkedAt))
    return isTrouble ? { ...seen, ...unconfirmed } : { ...seen, state, summary }
  if (checkedAt.getTime() - before.checkedAt.getTime() < roundSpacingSeconds * 1_000) return null
  if (before.summary === unconfirmed.summary && !isTrouble) return { ...seen, state, summary }
  const published = settledState(before.state as CheckedState, before.seenState as CheckedState, state)
  // The summary is the newest one for this state.
  if (published === state) return { ...seen, state, summary }
  return {
    ...seen,
    state: published,
    summary: published === before.seenState ? before.seenSummary : before.summary,
  }
}

async function upsert(tx: Prisma.TransactionClient, rows: readonly StatusCheck[]): Promise<void> {
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
