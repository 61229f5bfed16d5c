/** What every job is: a name, the shape of its payload and the work. */
import type { z } from 'zod'
import type { Services } from '../services.ts'

type JobContext = {
  /** Holds the advisory lock that tells that this worker lives. */
  workerId: string
  now: Date
}

export type JobTask<Schema extends z.ZodType = z.ZodType> = {
  name: string
  payload: Schema
  /** A cron expression in UTC, for ticks: they look for what is due by now and take no payload. */
  every?: string
  /** May take minutes: such jobs have places of their own. */
  long?: true
  /** Safe to run twice, and at two workers at once. */
  run(services: Services, payload: z.output<Schema>, context: JobContext): Promise<unknown>
}

export function defineTask<Schema extends z.ZodType>(task: JobTask<Schema>): JobTask<Schema> {
  return task
}
