/** What a call of the explorer left behind: its rows in both logs, and a line in the history. */
import type { AccessEntry } from '../../audit/access-log.ts'
import * as accessLog from '../../audit/access-log.ts'
import type { ActivityEntry } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
import type { Core } from '../../domain/core.ts'
import type { NewExplorerCall } from './explorer-history.ts'
import * as explorerHistory from './explorer-history.ts'
import type { ExplorerSession } from './explorer-practices.ts'

export type ExplorerTraces = Readonly<{
  /** Null if the call needs no credential. */
  activity: ActivityEntry | null
  access: readonly AccessEntry[]
}>

/**
 * The rows of one answer, its own only, and a line in the history of a signed-in person.
 * @param principalId as the record of access names the credential
 */
export async function traceCall(
  core: Core,
  call: Omit<NewExplorerCall, 'accountId'>,
  whose: {
    session: ExplorerSession
    owner: { keyId: string } | { clientId: string }
    practiceId: string
    principalId: string
  },
): Promise<ExplorerTraces> {
  const { recorder } = core
  const { session, owner, practiceId, principalId } = whose
  const { correlationId, status } = call
  if (session !== null) await explorerHistory.keep(core, { ...call, accountId: session.accountId })
  if (correlationId === null) return { activity: null, access: [] }
  // Served rows are committed before the answer leaves; those of refusals are on their way.
  if (status >= 400) await recorder.flush()
  // It was made just now: no older month is looked into.
  const from = new Date(core.clock().getTime() - 86_400_000)
  const [activity, access] = await Promise.all([
    activityLog.page(core, { ...owner, correlationId, limit: 1 }),
    accessLog.page(core, practiceId, { principalId, correlationId, from, limit: 10 }),
  ])
  return { activity: activity.rows[0] ?? null, access: access.rows }
}
