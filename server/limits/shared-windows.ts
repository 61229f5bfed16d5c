/** The limiter of this process: counts in Redis if there is one, in memory otherwise. */

import type { Callback, Result } from 'ioredis'
import { connectRedis, describeError } from './redis-client.ts'
import {
  type Budget,
  createMemoryLimiter,
  type Decision,
  type Limiter,
  type Take,
  wholeSeconds,
  windowsOf,
} from './windows.ts'

type LimiterDependencies = {
  clock: () => Date
  redisUrl: string | undefined
  log: { warn: (fields: object, message: string) => void; info: (fields: object, message: string) => void }
}

export function createLimiter({ clock, redisUrl, log }: LimiterDependencies): Limiter {
  if (redisUrl === undefined) return createMemoryLimiter({ clock })
  return createSharedLimiter({
    url: redisUrl,
    clock,
    onStateChange: (state, reason) => {
      if (state === 'shared') log.info({ state }, 'rate limits are shared')
      else log.warn({ state, reason }, 'rate limits are counted per process: Valkey or Redis is away')
    },
  })
}

// Windows that several processes count together: one Lua script in Valkey or Redis takes all windows of a request
// or none. While the server is down, each process counts alone, from the counts that it last knew.

/**
 * KEYS: one name per window, all in one slot of a Cluster. ARGV: now in ms (0: the server's own clock, the same for
 * every process), the caller's now, then per window its length in ms, limit, cost, and the count that the caller knows,
 * from which a server that lost its counts restores them. A stored value is the window's start and its count.
 * Returns {1, now, used, …} or {0, now, index of the refusing window with the longest wait, its count}.
 */
const script = `
local now, here = tonumber(ARGV[1]), tonumber(ARGV[2])
if now == 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local values, answer, refusing, longest = {}, {1, now}, 0, 0
for i = 1, #KEYS do
  local length, limit = tonumber(ARGV[4 * i - 1]), tonumber(ARGV[4 * i])
  local cost, known = tonumber(ARGV[4 * i + 1]), tonumber(ARGV[4 * i + 2])
  local start, used = now - now % length, 0
  local stored = redis.call('GET', KEYS[i])
  if stored then
    local since, count = string.match(stored, '^(%d+) (%d+)$')
    if tonumber(since) == start then used = tonumber(count) end
  end
  if known > used and here - here % length == start then used = known end
  used = used + cost
  values[i], answer[i + 2] = string.format('%d %d', start, used), used
  local wait = start + length - now
  if used > limit and wait > longest then refusing, longest = i, wait end
end
if refusing > 0 then return {0, now, refusing, answer[refusing + 2] - tonumber(ARGV[4 * refusing + 1])} end
for i = 1, #KEYS do redis.call('SET', KEYS[i], values[i], 'PX', ARGV[4 * i - 1] * 2) end
return answer`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeWindows(...values: (string | number | Callback<number[]>)[]): Result<number[], Context>
  }
}

/** No command is sent for this long after one failed. */
const pauseMilliseconds = 1_000
/** A command that takes longer counts as failed. */
const commandTimeoutDefault = 500

type SharedLimiterDependencies = {
  url: string
  /** Decides the windows that this process counts alone. */
  clock: () => Date
  /** For tests: `clock` decides the shared windows, too, in place of the server's clock. */
  clockDecides?: boolean
  /** Every key begins with it, because tests share a server. */
  namespace?: string
  commandTimeoutMilliseconds?: number
  /** Called once when the server goes down and once when it is back. */
  onStateChange?: (state: 'shared' | 'per_process', reason?: string) => void
}

export function createSharedLimiter({
  url,
  clock,
  clockDecides = false,
  namespace = 'sandpiper:limit',
  commandTimeoutMilliseconds = commandTimeoutDefault,
  onStateChange = () => {},
}: SharedLimiterDependencies): Limiter {
  const memory = createMemoryLimiter({ clock })
  let lastError = 'connection closed'
  const redis = connectRedis(url, commandTimeoutMilliseconds, (reason) => {
    lastError = reason
  })
  redis.defineCommand('takeWindows', { lua: script })
  /** Null before the first attempt to connect has ended. */
  let state: 'shared' | 'per_process' | null = null
  let pausedUntil = 0

  function setState(next: 'shared' | 'per_process', reason?: string): void {
    if (next === state) return
    state = next
    onStateChange(next, reason)
  }
  redis.on('ready', () => setState('shared'))
  redis.on('close', () => setState('per_process', lastError))

  async function take(takes: readonly Take[]): Promise<Decision> {
    if (redis.status !== 'ready' || performance.now() < pausedUntil) return memory.take(takes)
    const localNow = clock().getTime()
    const windows = takes.flatMap((one) => {
      const known = memory.known(one)
      return windowsOf(one).map((window, index) => ({ one, ...window, known: known[index] as number }))
    })
    let answer: number[]
    try {
      answer = await within(
        redis.takeWindows(
          windows.length,
          ...keysOf(namespace, windows),
          clockDecides ? localNow : 0,
          localNow,
          ...windows.flatMap(({ one, seconds, requests, known }) => [
            seconds * 1_000,
            requests,
            one.cost ?? 1,
            known,
          ]),
        ),
        commandTimeoutMilliseconds,
      )
    } catch (error) {
      pausedUntil = performance.now() + pauseMilliseconds
      setState('per_process', describeError(error))
      return memory.take(takes)
    }
    setState('shared')
    const [admitted, now, ...rest] = answer as [number, number, ...number[]]
    const waitOf = (seconds: number) => wholeSeconds(seconds * 1_000 - (now % (seconds * 1_000)))
    if (admitted === 0) {
      const [index, used] = rest as [number, number]
      const { one, seconds } = windows[index - 1] as (typeof windows)[number]
      learn(
        one,
        now,
        windowsOf(one).map((window) => (window.seconds === seconds ? used : 0)),
      )
      return { admitted: false, window: one.window, retryAfterSeconds: waitOf(seconds) }
    }
    for (const [index, { one }] of windows.entries())
      if (windows[index - 1]?.one !== one) learn(one, now, rest.slice(index))
    const budgets = windows.map(
      ({ one, seconds, requests }, index): Budget => ({
        window: one.window,
        seconds,
        requests,
        remaining: requests - (rest[index] as number),
        resetSeconds: waitOf(seconds),
      }),
    )
    return { admitted: true, budgets }
  }

  /** Keeps the server's counts for `blockedSeconds`, which sends no command, and for times when the server is down. */
  function learn(one: Take, now: number, used: readonly number[]): void {
    const localNow = clock().getTime()
    const isSameWindow = (milliseconds: number) =>
      Math.floor(localNow / milliseconds) === Math.floor(now / milliseconds)
    memory.learn(
      one,
      windowsOf(one).map(({ seconds }, index) => (isSameWindow(seconds * 1_000) ? (used[index] ?? 0) : 0)),
    )
  }

  return {
    take,
    blockedSeconds: memory.blockedSeconds,
    state: () => state ?? 'per_process',
    close: async () => redis.disconnect(),
  }
}

/**
 * The part in braces decides the slot. All windows of a request use the last window's subject, the practice. A key or
 * token belongs to one practice, so its own windows are always in that slot, too.
 */
function keysOf(namespace: string, windows: readonly { one: Take; seconds: number }[]): string[] {
  const slot = windows.at(-1)?.one.subject
  return windows.map(({ one, seconds }) => `${namespace}:{${slot}}:${one.window}:${seconds}:${one.subject}`)
}

/** A Cluster client waits for a silent node and then asks others, longer than the timeout of one command. */
function within<Value>(work: Promise<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Command timed out')), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
