/** The limiter of this process: Redis when there is one, memory otherwise. */
import { createSharedLimiter } from './shared-windows.ts'
import { createMemoryLimiter, type Limiter } from './windows.ts'

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
