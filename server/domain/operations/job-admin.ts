/** The job queue, for operations: waiting and failed jobs, and the acts to retry or delete them. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type OpsAct, opsActions } from '../../contract/portal/ops-actions.ts'
import { firstPage, type PageAsk, readPage } from '../../contract/portal/paging.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { readJobCounts } from './metric-queries.ts'
import { act, changed } from './ops-act.ts'

type JobRow = Readonly<{
  id: string
  task: string
  attempts: number
  maxAttempts: number
  runAt: Date
  /** The kind of the error, without its message, which may quote personal data. */
  lastError: string | null
  state: 'waiting' | 'running' | 'failed'
}>

/**
 * Counts by task, and the jobs that failed at least once, those out of attempts first; the search matches task and id.
 * @throws Problem `forbidden`
 */
export async function list({ prisma }: Core, actor: { accountId: string }, ask: PageAsk = firstPage) {
  await requireStaff(prisma, actor, ['ops'])
  const counts = await readJobCounts(prisma)
  const words = ask.q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = Prisma.sql`
      FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE j.attempts > 0 AND j.last_error IS NOT NULL AND NOT EXISTS (
        SELECT FROM unnest(${words}::text[]) word WHERE strpos(lower(t.identifier || ' ' || j.id), word) = 0)`
  const listed = await readPage(
    ask,
    async () =>
      (await prisma.$queryRaw<[{ total: number }]>`SELECT count(*)::int AS total ${found}`)[0].total,
    ({ skip, take }) => prisma.$queryRaw<(Omit<JobRow, 'lastError'> & { error: string | null })[]>`
      SELECT j.id::text AS id, t.identifier AS task, j.attempts::int AS attempts, j.max_attempts::int AS "maxAttempts",
        j.run_at AS "runAt", left(j.last_error, 200) AS error,
        CASE WHEN j.locked_at IS NOT NULL THEN 'running' WHEN j.attempts >= j.max_attempts THEN 'failed'
             ELSE 'waiting' END AS state ${found}
      ORDER BY (j.attempts >= j.max_attempts) DESC, j.run_at, j.id LIMIT ${take} OFFSET ${skip}`,
  )
  const rows = listed.rows.map(({ error, ...row }): JobRow => ({ ...row, lastError: kindOf(error) }))
  return { ...counts, troubled: { ...listed, rows } }
}

/** Runs a job again at once, with all its attempts. @throws Problem `conflict` if it is running or has finished */
export function retry(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'retry_job', reason, actor, async ({ tx }) => {
    const job = idOf(id)
    const [row] = await tx.$queryRaw<{ task: string }[]>`
        WITH again AS (
          UPDATE graphile_worker._private_jobs SET attempts = 0, run_at = now(), updated_at = now()
          WHERE id = ${job}::bigint AND attempts = ${version} AND locked_at IS NULL RETURNING task_id)
        SELECT t.identifier AS task FROM again JOIN graphile_worker._private_tasks t ON t.id = again.task_id`
    if (!row) throw changed('The job is running, has finished, or was retried in the meantime.')
    return { subject: { kind: 'job', id }, detail: { task: row.task } }
  })
}

/** Deletes a job from the queue. Its work is done only if a tick finds it again. */
export function giveUp(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'give_up_job', reason, actor, async ({ tx }) => {
    const job = idOf(id)
    const [row] = await tx.$queryRaw<{ task: string }[]>`
        WITH gone AS (
          DELETE FROM graphile_worker._private_jobs
          WHERE id = ${job}::bigint AND attempts = ${version} AND locked_at IS NULL RETURNING task_id)
        SELECT t.identifier AS task FROM gone JOIN graphile_worker._private_tasks t ON t.id = gone.task_id`
    if (!row) throw changed('The job is running, has finished, or was retried in the meantime.')
    return {
      subject: { kind: 'job', id },
      detail: { task: row.task, title: opsActions.give_up_job.title },
    }
  })
}

/** Deletes jobs that ran out of attempts before `before`. */
export function deleteGivenUp({ prisma }: Core, before: Date): Promise<number> {
  return deleteInBatches(async (limit) => ({
    count: await prisma.$executeRaw`
        DELETE FROM graphile_worker._private_jobs WHERE id IN (
          SELECT id FROM graphile_worker._private_jobs
          WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < ${before} LIMIT ${limit})`,
  }))
}

function idOf(id: string): string {
  if (!/^\d{1,18}$/.test(id)) throw new Problem('not_found')
  return id
}

/** The name of an error such as `PrismaClientKnownRequestError: …`; `Error` for a message without a name. */
export function kindOf(error: string | null): string | null {
  if (error === null) return null
  return /^([A-Z]\w{2,60}(Error|Exception|Problem))\b/.exec(error)?.[1] ?? 'Error'
}
