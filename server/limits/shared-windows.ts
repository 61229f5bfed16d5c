/**
 * The same windows counted by several processes together: one Lua script in Valkey or Redis takes all
 * windows of a request or none. While Redis is unreachable each process counts for itself and logs a warning.
 */
import { Redis } from 'ioredis'
import type { WindowName } from '../contract/http/limits.ts'
import {
  type Budget,
  createMemoryLimiter,
  type Decision,
  type Limiter,
  type Take,
  wholeSeconds,
  windowsOf,
} from './windows.ts'

/**
 * KEYS: one name per window. ARGV: now in ms (0: Redis's own clock, the same for every process), then
 * length in ms, limit and cost per window. Answers {1, remaining, ms to reset, …} or {0, index, ms to wait}.
 */
const script = `
local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local names, answer, refusing, longest = {}, {1}, 0, 0
for i = 1, #KEYS do
  local length, limit = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local cost = tonumber(ARGV[3 * i + 1])
  local start = now - now % length
  local wait = start + length - now
  names[i] = KEYS[i] .. ':' .. string.format('%d', start)
  local remaining = limit - tonumber(redis.call('GET', names[i]) or '0') - cost
  answer[2 * i], answer[2 * i + 1] = remaining, wait
  if remaining < 0 and wait > longest then refusing, longest = i, wait end
end
if refusing > 0 then return {0, refusing, longest} end
for i = 1, #KEYS do
  local cost = tonumber(ARGV[3 * i + 1])
  if redis.call('INCRBY', names[i], cost) == cost then redis.call('PEXPIRE', names[i], ARGV[3 * i - 1] * 2) end
end
return answer`

type WithScript = Redis & { takeWindows(keys: number, ...values: (string | number)[]): Promise<number[]> }

/** How long Redis is left alone after it failed to answer. */
const pauseMilliseconds = 1_000
/** A Redis that takes longer is as good as away. */
const commandTimeoutDefault = 500
const blockedMax = 50_000

type SharedLimiterDependencies = {
  url: string
  /** Of the fallback and of `blockedSeconds`. */
  clock: () => Date
  /** `clock` counts the shared windows too, in place of Redis's own clock (tests). */
  clockDecides?: boolean
  /** Before every key; tests share a server. */
  namespace?: string
  commandTimeoutMilliseconds?: number
  /** Told once when Redis goes away and once when it is back. */
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
  const fallback = createMemoryLimiter({ clock })
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: commandTimeoutMilliseconds,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  }) as WithScript
  redis.defineCommand('takeWindows', { lua: script })
  redis.on('error', () => {}) // 'close' follows; without a listener the process would end
  let state: 'shared' | 'per_process' = 'per_process'
  let pausedUntil = 0
  const blockedUntil = new Map<string, number>()

  function turn(next: typeof state, reason?: string): void {
    if (next === state) return
    state = next
    onStateChange(next, reason)
  }
  redis.on('ready', () => turn('shared'))
  redis.on('close', () => turn('per_process', 'connection closed'))

  async function take(takes: readonly Take[]): Promise<Decision> {
    if (redis.status !== 'ready' || performance.now() < pausedUntil) return fallback.take(takes)
    const windows = takes.flatMap((one) => windowsOf(one).map((window) => ({ one, ...window })))
    let answer: number[]
    try {
      answer = await redis.takeWindows(
        windows.length,
        ...windows.map(({ one, seconds }) => `${namespace}:${one.window}:${seconds}:${one.subject}`),
        clockDecides ? clock().getTime() : 0,
        ...windows.flatMap(({ one, seconds, requests }) => [seconds * 1_000, requests, one.cost ?? 1]),
      )
    } catch (error) {
      pausedUntil = performance.now() + pauseMilliseconds
      turn('per_process', error instanceof Error ? error.message : String(error))
      return fallback.take(takes)
    }
    turn('shared')
    if (answer[0] === 0) {
      const [, index, wait] = answer as [number, number, number]
      const { one } = windows[index - 1] as (typeof windows)[number]
      block(one, wait)
      return { admitted: false, window: one.window, retryAfterSeconds: wholeSeconds(wait) }
    }
    const budgets = windows.map(({ one, seconds, requests }, index): Budget => {
      const remaining = answer[2 * index + 1] as number
      const wait = answer[2 * index + 2] as number
      if (remaining === 0) block(one, wait)
      return { window: one.window, seconds, requests, remaining, resetSeconds: wholeSeconds(wait) }
    })
    return { admitted: true, budgets }
  }

  /** Remembers a used-up window, so that `blockedSeconds` needs no round trip. */
  function block(take: Take, milliseconds: number): void {
    if (blockedUntil.size >= blockedMax) blockedUntil.clear()
    const name = nameOf(take)
    blockedUntil.set(name, Math.max(blockedUntil.get(name) ?? 0, clock().getTime() + milliseconds))
  }

  function blockedSeconds(take: Take): number | null {
    if (state === 'per_process') return fallback.blockedSeconds(take)
    const wait = (blockedUntil.get(nameOf(take)) ?? 0) - clock().getTime()
    return wait > 0 ? wholeSeconds(wait) : null
  }

  async function close(): Promise<void> {
    redis.disconnect()
  }

  return { take, blockedSeconds, state: () => state, close }
}

function nameOf({ window, subject }: { window: WindowName; subject: string }): string {
  return `${window} ${subject}`
}
