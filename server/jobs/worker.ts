/** Runs the jobs in this process. */

import type { Services } from '../services.ts'
import { createPool } from '../store/pool.ts'
import { createBackoff } from '../store/retry.ts'
import { lanePlaces, queueConnections } from '../store/worker-places.ts'
import { tasks } from './index.ts'
import { type Lane, type StartedRunner, startRunner } from './runner.ts'

const lanes: readonly Lane[] = [
  { places: lanePlaces.short, tasks: tasks.filter(({ long }) => !long) },
  { places: lanePlaces.long, tasks: tasks.filter(({ long }) => long) },
]

/** The timeout of a connection attempt, which would never end behind some proxies. */
const connectMs = 5_000
/** A runner that lasted this long had a working database. */
const stableMs = 30_000

export type Worker = {
  /** Resolves when running jobs have ended. */
  stop(): Promise<void>
}

/** @throws Error if the database cannot be reached at the start; later, the worker waits for it */
export async function startWorker(services: Services): Promise<Worker> {
  const { directUrl, log } = services
  const pool = createPool({
    connectionString: directUrl,
    max: queueConnections,
    waitMs: connectMs,
    statementTimeoutMs: 0,
    log: { error: (fields) => log.warn(fields, 'a database connection of the worker was lost') },
    applicationName: 'sandpiper worker',
  })

  const ids = new Set<string>()
  const started: Worker[] = []
  async function stop(): Promise<void> {
    await Promise.all(started.map((lane) => lane.stop()))
    await pool.end()
  }

  try {
    // The lanes start one after the other, because each checks the queue's tables.
    for (const lane of lanes) started.push(await startLane({ services, pool, ids }, lane))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

async function startLane(dependencies: Parameters<typeof startRunner>[0], lane: Lane): Promise<Worker> {
  const { log } = dependencies.services
  let stopping = false
  const backoff = createBackoff({ firstMs: 1_000, maxMs: 4_000 })
  let current = await startRunner(dependencies, lane)
  const supervised = supervise()

  /** Starts a new runner, with a new id, if one ends because it cannot store results or fetch jobs. */
  async function supervise(): Promise<void> {
    while (!stopping) {
      const startedAt = performance.now()
      await current.ended
      if (stopping) return
      if (performance.now() - startedAt >= stableMs) backoff.reset()
      log.error({}, 'the job runner ended; starting another')
      current = await startAgain()
    }
  }

  async function startAgain(): Promise<StartedRunner> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, backoff.next()))
      try {
        if (stopping) return idleRunner
        return await startRunner(dependencies, lane)
      } catch (error) {
        log.warn({ err: error }, 'the job runner could not start; trying again')
        if (stopping) return idleRunner
      }
    }
  }

  return {
    async stop() {
      stopping = true
      await current.stop()
      await supervised
      await current.stop() // a runner that was starting at the first stop
    },
  }
}

const idleRunner: StartedRunner = { ended: Promise.resolve(), stop: async () => {} }
