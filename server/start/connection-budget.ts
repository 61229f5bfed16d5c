/** How many connections a process opens at most, as docs/operations/postgresql.md states it. */
import { writerConnections, writerThreads } from '../ccd/writers.ts'
import type { Env } from '../env.ts'
import { workerConnections } from '../store/worker-places.ts'

/** The recorder's. */
const records = 1

export function connectionBudget(
  { ROLE, DATABASE_POOL }: Pick<Env, 'ROLE' | 'DATABASE_POOL'>,
  threads: number = writerThreads,
) {
  const documents = ROLE === 'worker' ? 0 : threads * writerConnections
  const jobs = ROLE === 'worker' || ROLE === 'all' ? workerConnections : 0
  return {
    /** By DATABASE_URL. */
    requests: DATABASE_POOL + documents,
    /** By DATABASE_DIRECT_URL. */
    lasting: records + jobs,
  }
}
