/** For operators: `/healthz` (the process answers) and `/readyz` (it can do its work). */
import { type Context, Hono } from 'hono'
import type { EdgeEnv } from './edge.ts'
import { dataHeaders } from './security-headers.ts'

/** Resolves when it works, rejects when it does not. */
type ReadinessCheck = () => Promise<unknown>

type HealthDependencies = {
  checks: Record<string, ReadinessCheck>
  /** A process that is about to stop is not ready, so that a proxy turns away from it. */
  isDraining: () => boolean
  /** `per_process` is reported, and no reason not to serve. */
  limits: () => 'memory' | 'shared' | 'per_process'
  /** `shedding` is reported, and no reason not to serve: it refuses some requests so that others are served. */
  load: () => 'normal' | 'shedding'
  /** `off` is reported, and no reason not to serve: it differs from the clock of the database. */
  clock: () => Promise<'in_step' | 'off'>
  /** `rebuilding` is reported, and no reason not to serve: what cannot be searched yet is not offered. */
  searchIndex: () => Promise<'current' | 'rebuilding'>
  /** Of the process that people reach. Reported, and no reason not to serve: requests do not need it. */
  worker?: ReadinessCheck | undefined
  /** A check that takes longer has failed; one of the worker, that takes a quarter. */
  withinMs?: number
}

/** Also how long a result is held that is not cheap to find out. */
const checkMs = 2_000

export function createHealth({
  checks,
  isDraining,
  limits,
  load,
  clock,
  searchIndex,
  worker,
  withinMs = checkMs,
}: HealthDependencies): Hono<EdgeEnv> {
  const app = new Hono<EdgeEnv>()
  app.get('/healthz', (c) => {
    hush(c)
    return c.text('ok', 200, dataHeaders)
  })
  app.get('/readyz', async (c) => {
    hush(c)
    const [workerState, ...entries] = await Promise.all([
      // A prober that waits a second gets its answer all the same.
      worker && outcome(worker, withinMs / 4),
      ...Object.entries(checks).map(async ([name, check]) => [name, await outcome(check, withinMs)] as const),
    ])
    const draining = isDraining()
    const ready = !draining && entries.every(([, state]) => state === 'ok')
    const body = {
      ready,
      checks: Object.fromEntries(entries),
      limits: limits(),
      load: load(),
      ...(workerState && { worker: workerState }),
      ...(draining && { draining }),
      // Unknown without a database.
      ...(ready && { clock: await clock(), searchIndex: await searchIndex() }),
    }
    return c.json(body, ready ? 200 : 503, dataHeaders)
  })
  return app
}

/** For a check that costs something: one at a time, however many ask, and its result holds for two seconds. */
export function holdResult(check: ReadinessCheck): ReadinessCheck {
  let last: { startedAt: number; result: Promise<unknown> } | null = null
  let pending = false
  return async () => {
    if (last === null || (!pending && performance.now() - last.startedAt >= checkMs)) {
      pending = true
      const result = check().finally(() => {
        pending = false
      })
      last = { startedAt: performance.now(), result }
    }
    await last.result
  }
}

/** Probes arrive every few seconds, so they are not logged. */
function hush(c: Context<EdgeEnv>): void {
  c.var.edge.route = c.req.path
  c.var.edge.quiet = true
}

async function outcome(check: ReadinessCheck, withinMs: number): Promise<'ok' | 'failed'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), withinMs)
  })
  try {
    await Promise.race([check(), late])
    return 'ok'
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}

/** A process that is stopping reports it at /readyz and closes connections before it refuses requests. */
export type Drain = ReturnType<typeof createDrain>

export function createDrain() {
  let begun = false
  return {
    begin: () => {
      begun = true
    },
    isBegun: () => begun,
  }
}
