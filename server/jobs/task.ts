/** What every job is: a name, the shape of its payload and the work. */
import { z } from 'zod'
import type { Services } from '../services.ts'

type JobContext = {
  /** Holds the advisory lock that tells that this worker lives. */
  workerId: string
  now: Date
}

export type JobTask<Schema extends z.ZodType = z.ZodType> = {
  name: string
  payload: Schema
  /** A cron expression in UTC. */
  every?: string
  /** May take minutes: such jobs have places of their own. */
  long?: true
  /** Safe to run twice, and at two workers at once. */
  run(services: Services, payload: z.output<Schema>, context: JobContext): Promise<unknown>
}

export const defineTask = <Schema extends z.ZodType>(task: JobTask<Schema>): JobTask<Schema> => task

type Tick = Pick<JobTask, 'name' | 'long'> & {
  every: string
  run(services: Services, now: Date): Promise<unknown>
}

/** Looks on a schedule for what is due by now, and takes no payload. */
export function defineTick({ run, ...tick }: Tick) {
  return defineTask({
    ...tick,
    payload: z.unknown(),
    run: (services, _, { now }) => run(services, now),
  })
}
