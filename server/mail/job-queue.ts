/** Adds jobs in the caller's transaction, so that a change and its job are committed together or not at all. */
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { traceParent } from '../tracing/spans.ts'

type JobOptions = {
  /** A new job replaces a waiting one with the same key. */
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

/** Added to the payload, so that the job belongs to the trace of the request that queued it. */
function traceFields(): { traceparent?: string } {
  const traceparent = traceParent()
  return traceparent === undefined ? {} : { traceparent }
}

export type JobQueue = typeof jobQueue
