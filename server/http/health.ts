/** Health checks: `/healthz` (the process responds) and `/readyz` (it can serve requests). */
import { type Context, Hono } from 'hono'
import type { EdgeEnv } from './edge.ts'
import { dataHeaders } from './security-headers.ts'

/** Rejects if the dependency does not work. */
type ReadinessCheck = () => Promise<unknown>

type HealthDependencies = {
  checks: Record<string, ReadinessCheck>
  /** A process that is stopping is not ready, so that a proxy sends it no more requests. */
  isDraining: () => boolean
  /** Reported only: `per_process` does not make the process unready. */
  limits: () => 'memory' | 'shared' | 'per_process'
  /** Reported only: `shedding` refuses some requests so that others are served. */
  load: () => 'normal' | 'shedding'
  /** Reported only: `off` means that the clock differs from that of the database. */
  clock: () => Promise<'in_step' | 'off'>
  /** Reported only: while `rebuilding`, some search parameters are not offered. */
  searchIndex: () => Promise<'current' | 'rebuilding'>
  /** Reported only, by the public process: requests do not need the worker. */
  worker?: ReadinessCheck | undefined
  /** Time limit for a check; the worker's has a quarter of it. */
  withinMs?: number
}

/** Also the time for which `holdResult` caches. */
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
      // A quarter of the limit, so that a probe with a timeout of one second still gets its response.
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
      // Both need the database.
      ...(ready && { clock: await clock(), searchIndex: await searchIndex() }),
    }
    return c.json(body, ready ? 200 : 503, dataHeaders)
  })
  return app
}

/** Caches the result of an expensive check for two seconds, and runs only one at a time. */
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
