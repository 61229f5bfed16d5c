/**
 * Jobs that wait, carried over by the queue's own function: https://worker.graphile.org/docs/sql-add-job . Attempts
 * begin anew, one that runs for the last time with them; jobs that were given up stay behind.
 */
import type pg from 'pg'

/** Jobs as lines of JSON, earliest due date first. */
export async function listJobs(client: pg.ClientBase): Promise<string[]> {
  if (!(await hasQueue(client))) return []
  const { rows } = await client.query<{ line: string }>(
    `SELECT json_build_object('task', t.identifier, 'payload', j.payload::jsonb, 'queue', q.queue_name,
       'runAt', j.run_at::text, 'maxAttempts', j.max_attempts, 'jobKey', j.key, 'priority', j.priority)::text AS line
     FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
     WHERE j.attempts < j.max_attempts OR j.locked_at IS NOT NULL ORDER BY j.run_at, j.id`,
  )
  return rows.map(({ line }) => line)
}

/** Replaces all existing jobs. */
export async function replaceJobs(client: pg.ClientBase, lines: readonly string[]): Promise<void> {
  await client.query('DELETE FROM graphile_worker._private_jobs')
  for (const line of lines) {
    await client.query(
      `SELECT 1 FROM json_to_record($1::json) AS j(task text, payload json, queue text, "runAt" timestamptz,
         "maxAttempts" int, "jobKey" text, priority int),
       LATERAL graphile_worker.add_job(j.task, j.payload, j.queue, j."runAt", j."maxAttempts", j."jobKey",
         j.priority)`,
      [line],
    )
  }
}

async function hasQueue(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS found`,
  )
  return rows[0]?.found ?? false
}
