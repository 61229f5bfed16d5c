/** The structured log: one JSON object per line on standard output. */
import type { Writable } from 'node:stream'
import pino, { type DestinationStream, type Logger } from 'pino'
import { findTransientError } from '../contract/http/transient-errors.ts'
import { type LoggedError, scrubLine, toLoggedError, withoutStack } from './scrub.ts'

/** Whatever somebody passes by mistake. */
const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'key',
  'email',
  'to',
  'body',
  'query',
  'url',
  'headers',
]

/** Lines are written together: a write of each would cost more than the line. */
const writeBytes = 8_192
/** No line waits longer, and none is lost at an orderly end. */
const flushMs = 100
/** Characters that wait for a reader who has stopped reading; later lines are dropped. */
const waitingMax = 8_388_608
/** After so long without an error of its kind, an outage is over. */
const outageMs = 60_000

/**
 * @param out another place than standard output: tests read what would be logged
 */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }, out?: Writable | DestinationStream): Logger {
  const destination =
    out ??
    pino.destination({
      fd: 1,
      sync: false,
      minLength: writeBytes,
      periodicFlush: flushMs,
      maxLength: waitingMax,
    })
  const serialize = createErrorSerializer()
  return pino(
    {
      level: LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: serialize, error: serialize },
      redact: { paths: secretFields.flatMap((name) => [path(name), `*${path(name, '.')}`]), censor: '[…]' },
      hooks: { streamWrite: scrubLine },
    },
    destination,
  )
}

/** An outage fails every request for the same reason: its stack is written once, until it has been over for a minute. */
function createErrorSerializer(): (error: unknown) => LoggedError {
  const seen = new Map<string, number>()
  return (error) => {
    const logged = toLoggedError(error)
    const cause = findTransientError(error)?.cause
    if (cause === undefined) return logged
    const before = seen.get(cause) ?? Number.NEGATIVE_INFINITY
    const now = performance.now()
    seen.set(cause, now)
    return now - before < outageMs ? withoutStack(logged) : logged
  }
}

/**
 * The same log for lines whose fields are all written down where they are logged, none of them one of `secretFields`:
 * looking for those costs four times the line. Texts are still scrubbed.
 */
export function withoutRedaction(log: Logger): Logger {
  return log.child({}, { redact: [] })
}

/** @returns false when what was logged could not be written in that time */
export async function flushLog(log: Logger, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  // What is written is also synchronized, which a pipe refuses (EINVAL): it was written.
  const isWritten = (error?: NodeJS.ErrnoException) => !error || error.code === 'EINVAL'
  const flushed = new Promise<boolean>((resolve) => log.flush((error) => resolve(isWritten(error))))
  const done = await Promise.race([flushed, late])
  clearTimeout(timer)
  return done
}

function path(name: string, before = ''): string {
  return name.includes('-') ? `["${name}"]` : `${before}${name}`
}

export type { Logger }
