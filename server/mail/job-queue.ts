/** Adds a job in the caller's transaction: the change and the work it asks for are committed together or not at all. */
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { traceParent } from '../tracing/spans.ts'

type JobOptions = {
  /** Of jobs with one key only the newest waits. */
  jobKey?: string
  /** Seconds from the database's now; 0 by default. */
  delaySeconds?: number
  maxAttempts?: number
}

export const jobQueue = {
  async add(
    tx: Prisma.TransactionClient,
    task: string,
    payload: object,
    options: JobOptions = {},
  ): Promise<void> {
    const { jobKey = null, delaySeconds = 0, maxAttempts = 25 } = options
    await tx.$executeRaw`
        SELECT 1 FROM graphile_worker.add_job(
          ${task}::text,
          ${JSON.stringify({ ...payload, ...traceFields() })}::json,
          run_at => now() + ${delaySeconds}::float8 * interval '1 second',
          max_attempts => ${maxAttempts}::int,
          job_key => ${jobKey}::text
        )`
  },
}

/** Goes along with the payload, so that the work stands in the trace of the request that asked for it. */
function traceFields(): { traceparent?: string } {
  const traceparent = traceParent()
  return traceparent === undefined ? {} : { traceparent }
}

export type JobQueue = typeof jobQueue
