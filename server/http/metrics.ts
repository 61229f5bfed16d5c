/** The metrics of this process for `/metrics`: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type WindowName, windowTable } from '../contract/http/limits.ts'
import type { WorkClass } from '../contract/http/load-shedding.ts'
import {
  type MetricApi,
  type MetricName,
  metricRoutesMax,
  metrics as table,
} from '../contract/http/metrics.ts'
import type { Limiter } from '../limits/windows.ts'

/** Values that are read at each scrape, by gauge, with an entry for each series. */
export type GaugeReadings = Partial<
  Record<MetricName, readonly { labels?: Readonly<Record<string, string>>; value: number }[]>
>

export type AnsweredRequest = {
  /** The URL's path. It only determines the API and is not exported. */
  path: string
  /** The pattern of the route, `*` for none. */
  route: string
  method: string
  status: number
  /** The Fault Lab changed the response. */
  injected: boolean
  /** The class of a request that was refused because of the load. */
  shed: WorkClass | null
  milliseconds: number
}

type Readings = {
  /** Values of this process. */
  own: () => Promise<GaugeReadings>
  /** Values from the database; may reject. */
  shared: () => Promise<GaugeReadings>
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics({ own, shared }: Readings) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter(optionsOf('sandpiper_http_requests_total', registry))
  const sheds = new Counter(optionsOf('sandpiper_load_refusals_total', registry))
  const refusals = new Counter(optionsOf('sandpiper_limit_refusals_total', registry))
  const durations = new Histogram({
    ...optionsOf('sandpiper_http_request_duration_seconds', registry),
    buckets: [...table.sandpiper_http_request_duration_seconds.buckets],
  })
  const gauges = new Map(
    (Object.keys(table) as MetricName[])
      .filter((name) => table[name].type === 'gauge')
      .map((name) => [name, new Gauge(optionsOf(name, registry))]),
  )
  const routes = new Set<string>()

  function observe({ path, route, method, status, injected, shed, milliseconds }: AnsweredRequest): void {
    const door = apiOf(path, route)
    const bounded = boundedRoute(route)
    if (shed) countShed(door, shed)
    requests.inc({
      door,
      route: bounded,
      method: methods.has(method) ? method : 'other',
      status: injected ? 'injected' : `${Math.trunc(status / 100)}xx`,
    })
    if (!injected) durations.observe({ door, route: bounded }, milliseconds / 1_000)
  }

  function boundedRoute(route: string): string {
    if (routes.has(route)) return route
    if (routes.size >= metricRoutesMax) return 'other'
    routes.add(route)
    return route
  }

  function countShed(door: MetricApi, shed: WorkClass): void {
    sheds.inc({ door, class: shed })
  }

  function countRefusal(window: WindowName): void {
    refusals.inc({ door: windowTable[window].api, window })
  }

  /** Wraps a limiter to count its refusals. */
  function watch(limiter: Limiter): Limiter {
    return {
      ...limiter,
      take(takes) {
        const decision = limiter.take(takes)
        const count = (decided: Awaited<typeof decision>) => {
          if (!decided.admitted) countRefusal(decided.window)
          return decided
        }
        return decision instanceof Promise ? decision.then(count) : count(decision)
      },
      blockedSeconds(take) {
        const seconds = limiter.blockedSeconds(take)
        if (seconds !== null) countRefusal(take.window)
        return seconds
      },
    }
  }

  /** The response to a scrape. Without the database its metrics are missing, and `sandpiper_database_up` is 0. */
  async function text(): Promise<string> {
    for (const gauge of gauges.values()) gauge.reset()
    set(await own())
    const read = await shared().then(
      (readings) => ({ readings, up: 1 }),
      () => ({ readings: {}, up: 0 }),
    )
    set({ ...read.readings, sandpiper_database_up: [{ value: read.up }] })
    return registry.metrics()
  }

  function set(readings: GaugeReadings): void {
    for (const [name, series] of Object.entries(readings))
      for (const { labels = {}, value } of series) gauges.get(name as MetricName)?.set({ ...labels }, value)
  }

  return { observe, countShed, watch, text, contentType: registry.contentType }
}

export type Metrics = ReturnType<typeof createMetrics>

function optionsOf(name: MetricName, registry: Registry) {
  const { help, labels } = table[name]
  return { name, help, labelNames: [...labels], registers: [registry] }
}

const below = (path: string, base: string) => path === base || path.startsWith(`${base}/`)

/** The API of a request by its path and route. Three APIs share the base `/r4`. */
function apiOf(path: string, route: string): MetricApi {
  if (below(path, '/api/v1/system') || route.startsWith('/system/')) return 'status'
  if (below(path, '/api/v1') || below(path, '/sandbox/api/v1')) return 'rest'
  if (below(path, '/r4')) {
    if (/\/(auth|\.well-known)(\/|$)/.test(route)) return 'smart'
    return /\/(\$export|bulk)(\/|$)/.test(route) ? 'bulk' : 'fhir'
  }
  return /^\/(healthz|readyz|metrics)$/.test(route) ? 'service' : 'portal'
}
