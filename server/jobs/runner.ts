/** Runs graphile-worker for some of the jobs: https://worker.graphile.org/docs/library/run */
import { EventEmitter } from 'node:events'
import {
  Logger as GraphileLogger,
  parseCronItems,
  type Runner,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Services } from '../services.ts'
import { withSpan } from '../tracing/spans.ts'
import type { JobTask } from './task.ts'
import { createWorkerLock, unlockDeadWorkers, type WorkerLock } from './worker-lock.ts'

/** The database announces new jobs. Polling finds jobs that become due later: retries and delayed jobs. */
const pollMs = 5_000
const unlockEveryMs = 60_000

export type Lane = Readonly<{
  /** The number of its jobs that may run at once. */
  places: number
  tasks: readonly JobTask[]
}>

export type StartedRunner = Awaited<ReturnType<typeof startRunner>>

type Dependencies = {
  services: Services
  pool: pg.Pool
  /** The worker ids of this process's running runners, which must not count as dead. */
  ids: Set<string>
}

/** @throws Error if the database cannot be reached */
export async function startRunner({ services, pool, ids }: Dependencies, { places, tasks }: Lane) {
  const { directUrl, log } = services
  const workerLock = createWorkerLock({ connectionString: directUrl, log })
  const unlock = () =>
    unlockDeadWorkers(pool, [...ids]).then(
      (dead) =>
        dead.length > 0 && log.warn({ workers: dead.length }, 'unlocked the jobs of workers that are gone'),
      (error: Error) => log.warn({ err: error }, 'could not look for workers that are gone'),
    )
  const workerIds: string[] = []
  await unlock()
  const timer = setInterval(() => void unlock(), unlockEveryMs)
  const events: WorkerEvents = new EventEmitter()
  const lost = whenLost(events)
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: places,
    pollInterval: pollMs,
    noHandleSignals: true, // the process has its own way to stop
    logger: toGraphileLogger(log),
    taskList: toTaskList(tasks, services),
    parsedCronItems: parseCronItems(
      tasks.flatMap(({ name, every }) => (every ? [{ task: name, match: every, identifier: name }] : [])),
    ),
    preset: {
      plugins: [
        acquiring(workerLock, (id) => {
          workerIds.push(id)
          ids.add(id)
        }),
      ],
      // Without batches, the runner leaves the promise of its last statement unhandled, and a database failure at that
      // moment would end the process.
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
  }).catch(async (error: unknown) => {
    await finish()
    throw error
  })
  endWhenStuck(runner, places)
  const ended = Promise.race([runner.promise, lost])
    .catch((error: Error) => log.error({ err: error }, 'the job runner failed'))
    .then(finish)

  /** Releases the lock, so that other workers take over the runner's jobs. */
  async function finish(): Promise<void> {
    clearInterval(timer)
    await workerLock.release()
    for (const id of workerIds) ids.delete(id)
  }

  return {
    /** Resolves when the runner has ended or was stopped. */
    ended,
    stop: () => stopRunner(runner, ended),
  }
}

/**
 * A runner reads the ids of its tasks once and caches the result, even an error. If its connection is cut at that moment,
 * it would silently never fetch a job again, so it is stopped.
 */
function endWhenStuck(runner: Runner, places: number): void {
  let failures = 0
  const fetched = () => {
    failures = 0
  }
  runner.events.on('job:start', fetched)
  runner.events.on('worker:getJob:empty', fetched)
  runner.events.on('worker:getJob:error', () => {
    failures += 1
    // A cut connection can fail one fetch for each place, so one more means that the runner is stuck.
    if (failures === places + 1) runner.stop('no job can be fetched').catch(() => {})
  })
}

/**
 * A runner that cannot store the result of a job shuts down, but waits forever for the statement that failed. Resolves
 * once such a runner has no running job and can be abandoned.
 * @param events the runner's events, from before its start, so that every job is counted
 */
function whenLost(events: WorkerEvents): Promise<void> {
  let running = 0
  let lost = false
  return new Promise((resolve) => {
    const resolveIfLost = () => {
      if (lost && running === 0) resolve()
    }
    events.on('job:start', () => {
      running += 1
    })
    events.on('job:complete', () => {
      running -= 1
      resolveIfLost()
    })
    events.on('pool:fatalError', () => {
      lost = true
      resolveIfLost()
    })
  })
}

async function stopRunner(runner: Runner, ended: Promise<void>): Promise<void> {
  const stopped = runner.stop().catch(() => {}) // "already stopped"
  // A lost runner's `stop` never resolves, but `ended` does.
  await Promise.race([stopped, ended])
  await ended
}

/** Takes the worker's lock before the worker takes its first job. */
function acquiring(workerLock: WorkerLock, begin: (id: string) => void): GraphileConfig.Plugin {
  return {
    name: 'SandpiperWorkerLockPlugin',
    worker: {
      hooks: {
        async startWorker(_, { worker }) {
          begin(worker.workerPool.id)
          await workerLock.acquire(worker.workerPool.id)
        },
      },
    },
  }
}

/** Scheduled tasks are due at the full minute. Each is delayed by other seconds, so that they don't all begin at once. */
export function toTaskList(tasks: readonly JobTask[], services: Services): TaskList {
  const scheduled = tasks.filter(({ every }) => every)
  return Object.fromEntries(
    tasks.map((task) => {
      const handle = handlerOf(task, services)
      const delayMs = Math.floor((scheduled.indexOf(task) * 60_000) / scheduled.length)
      const handler: Task = async (payload, helpers) => {
        const { _cron: cron, ...fields } = (payload ?? {}) as { _cron?: { ts: string } }
        if (!cron) return handle(payload, helpers)
        const runAt = new Date(Date.parse(cron.ts) + delayMs)
        await helpers.addJob(task.name, fields, { runAt, jobKey: `scheduled:${task.name}` })
      }
      return [task.name, handler]
    }),
  )
}

/** @returns the function that the queue calls for a job of this task */
export function handlerOf(task: JobTask, services: Services): Task {
  return async (payload, { job }) => {
    const workerId = job.locked_by ?? ''
    const { traceparent, ...fields } = (payload ?? {}) as { traceparent?: string }
    const attributes = { 'messaging.system': 'graphile_worker', 'sandpiper.job.attempts': job.attempts }
    await withSpan(task.name, { kind: 'CONSUMER', attributes, parent: traceparent ?? null }, async () => {
      await task.run(services, task.payload.parse(fields), { workerId, now: services.clock() })
    })
  }
}

/** Logs the runner's message without the quoted error, because the error is logged as a field. */
function toGraphileLogger(log: Logger): GraphileLogger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new GraphileLogger(() => (level, message, meta) => {
    const err = meta?.error instanceof Error ? meta.error : undefined
    const words = message.split(/ with error '|: /)[0] ?? ''
    log[levels[level]]({ room: 'jobs', ...(err && { err }) }, words)
  })
}
