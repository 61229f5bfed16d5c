/** One run of graphile-worker over some of the jobs: https://worker.graphile.org/docs/library/run */
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

/** New jobs are announced by the database. Polling finds those that were due later: retries, and delayed starts. */
const pollMs = 5_000
const unlockEveryMs = 60_000

export type Lane = Readonly<{
  /** How many of its jobs run at once. */
  places: number
  tasks: readonly JobTask[]
}>

export type StartedRunner = Awaited<ReturnType<typeof startRunner>>

type Dependencies = {
  services: Services
  pool: pg.Pool
  /** Of every runner of this process that has not ended: they are never taken for dead. */
  ids: Set<string>
}

/** @throws when the database cannot be reached */
export async function startRunner({ services, pool, ids }: Dependencies, { places, tasks }: Lane) {
  const { directUrl, log } = services
  const workerLock = createWorkerLock({ connectionString: directUrl, log })
  const unlock = () =>
    unlockDeadWorkers(pool, [...ids]).then(
      (dead) =>
        dead.length > 0 && log.warn({ workers: dead.length }, 'unlocked the jobs of workers that are gone'),
      (error: Error) => log.warn({ err: error }, 'could not look for workers that are gone'),
    )
  const own: string[] = []
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
          own.push(id)
          ids.add(id)
        }),
      ],
      // Without a batch the runner drops the promise of its last statement: a database that goes away in that
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

  /** From here on it is as good as dead: whatever it still holds goes to others, the next runner of its lane among them. */
  async function finish(): Promise<void> {
    clearInterval(timer)
    await workerLock.release()
    for (const id of own) ids.delete(id)
  }

  return {
    /** Resolves when the runner has ended, by itself or because it was stopped. */
    ended,
    stop: () => stopRunner(runner, ended),
  }
}

/**
 * A runner asks once for the numbers of its tasks and keeps the answer, an error too: one that starts in the
 * moment in which its connection is cut would fail to fetch jobs for ever, and without a word.
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
    // One more than fail together when a connection is cut.
    if (failures === places + 1) runner.stop('no job can be fetched').catch(() => {})
  })
}

/**
 * A runner that cannot write down how a job ended shuts itself down, and waits in that for the very statement
 * that failed: for ever. Resolves when such a runner has no job running any more and may be given up.
 * @param events of the runner, before it starts: no job may be missed
 */
function whenLost(events: WorkerEvents): Promise<void> {
  let running = 0
  let lost = false
  return new Promise((resolve) => {
    const look = () => {
      if (lost && running === 0) resolve()
    }
    events.on('job:start', () => {
      running += 1
    })
    events.on('job:complete', () => {
      running -= 1
      look()
    })
    events.on('pool:fatalError', () => {
      lost = true
      look()
    })
  })
}

async function stopRunner(runner: Runner, ended: Promise<void>): Promise<void> {
  const stopped = runner.stop().catch(() => {}) // "already stopped"
  // One that is lost does not stop, but ends.
  await Promise.race([stopped, ended])
  await ended
}

/** No job is taken before the worker's lock is held. */
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

/** Scheduled tasks are due at the full minute. Each waits for a second of its own, so that they don't all begin at once. */
export function toTaskList(tasks: readonly JobTask[], services: Services): TaskList {
  const scheduled = tasks.filter(({ every }) => every)
  return Object.fromEntries(
    tasks.map((task) => {
      const handle = handlerOf(task, services)
      const delayMs = Math.floor((scheduled.indexOf(task) * 60_000) / scheduled.length)
      const handler: Task = async (payload, helpers) => {
        const { _cron: cron, ...own } = (payload ?? {}) as { _cron?: { ts: string } }
        if (!cron) return handle(payload, helpers)
        const runAt = new Date(Date.parse(cron.ts) + delayMs)
        await helpers.addJob(task.name, own, { runAt, jobKey: `scheduled:${task.name}` })
      }
      return [task.name, handler]
    }),
  )
}

/** @returns what the queue calls for a job of this task */
export function handlerOf(task: JobTask, services: Services): Task {
  return async (payload, { job }) => {
    const workerId = job.locked_by ?? ''
    const { traceparent, ...own } = (payload ?? {}) as { traceparent?: string }
    const attributes = { 'messaging.system': 'graphile_worker', 'sandpiper.job.attempts': job.attempts }
    await withSpan(task.name, { kind: 'CONSUMER', attributes, parent: traceparent ?? null }, async () => {
      await task.run(services, task.payload.parse(own), { workerId, now: services.clock() })
    })
  }
}

/** The runner's own sentence without what it quotes of an error; the error itself is logged as every other one. */
function toGraphileLogger(log: Logger): GraphileLogger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new GraphileLogger(() => (level, message, meta) => {
    const err = meta?.error instanceof Error ? meta.error : undefined
    const words = message.split(/ with error '|: /)[0] ?? ''
    log[levels[level]]({ room: 'jobs', ...(err && { err }) }, words)
  })
}
