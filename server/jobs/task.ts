/** A job's definition: its name, its payload's schema and its function. */
import { z } from 'zod'
import type { Services } from '../services.ts'

type JobContext = {
  /** The id of the worker, whose advisory lock shows that it is alive. */
  workerId: string
  now: Date
}

export type JobTask<Schema extends z.ZodType = z.ZodType> = {
  name: string
  payload: Schema
  /** A cron expression in UTC. */
  every?: string
  /** Set if the job may take minutes. Such jobs run in a lane of their own. */
  long?: true
  /** Must be safe to run twice, and on two workers at once. */
  run(services: Services, payload: z.output<Schema>, context: JobContext): Promise<unknown>
}

export const defineTask = <Schema extends z.ZodType>(task: JobTask<Schema>): JobTask<Schema> => task

type Tick = Pick<JobTask, 'name' | 'long'> & {
  every: string
  run(services: Services, now: Date): Promise<unknown>
}

/** A scheduled job without a payload, which does the work that is due. */
export function defineTick({ run, ...tick }: Tick) {
  return defineTask({
    ...tick,
    payload: z.unknown(),
    run: (services, _, { now }) => run(services, now),
  })
}
