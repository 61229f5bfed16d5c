/** The structured log: one JSON object per line on standard output. */
import type { Writable } from 'node:stream'
import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'
import { findTransientError } from '../contract/http/transient-errors.ts'

/** Values that a caller logs by mistake. */
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
export const withoutRedaction = (log: Logger): Logger => log.child({}, { redact: [] })

/** @returns false when what was logged could not be written in that time */
export async function flushLog(log: Logger, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  // What is written is also synchronized, which a pipe refuses (EINVAL): it was written.
  const isWritten = (error?: NodeJS.ErrnoException) => !error || error.code === 'EINVAL'
  const flushed = new Promise<boolean>((resolve) => log.flush((error) => resolve(isWritten(error))))
  const isFlushed = await Promise.race([flushed, late])
  clearTimeout(timer)
  return isFlushed
}

const path = (name: string, before = ''): string => (name.includes('-') ? `["${name}"]` : `${before}${name}`)

export type { Logger }

/** The last line of defence of the log: what must never be in it is cut out of texts and errors. */

// Repetitions are bounded: from each beginning in a long text, an open one would read the rest of it.
const secrets: readonly (readonly [RegExp, string])[] = [
  // The public prefix may stay.
  [/\b(svc_[tl][0-9A-Za-z]{7})[0-9A-Za-z]+/g, '$1…'],
  // Tokens, codes, launches and secrets of the authorization server, whole or cut short.
  [/\b(sp[acrls]_)[\w-]{8,}/g, '$1…'],
  [/\beyJ[\w-]{1,2000}\.[\w-]+(\.[\w-]+)?/g, '[token]'],
  [/\bBearer\s+[^\s"',]+/gi, 'Bearer […]'],
  [
    /([?&#](?:token|code|launch|key|secret|password|assertion|client_assertion|refresh_token|code_verifier)=)[^\s&"']+/gi,
    '$1[…]',
  ],
  [/-----BEGIN [A-Z ]{1,40}-----[\s\S]{0,8000}?-----END [A-Z ]{1,40}-----/g, '[key]'],
  [/[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+/g, '[address]'],
  [/\b(postgres(?:ql)?|rediss?|smtps?):\/\/[^\s"']+/g, '$1://[…]'],
]

/** Nothing above matches a text in which none of this stands: one look instead of eight. */
const suspicious = /svc_|sp[acrls]_|eyJ|bearer|[?&#]\w+=|-----BEGIN|@|:\/\//i

/** The log keeps less of a message; a longer one could take seconds. */
const charactersMax = 2_000

/** The beginning of a text, without keys, tokens, mail addresses and connection strings. */
export function scrub(text: string): string {
  // To the end of a word: half a key would not be known as one.
  const start = text.length > charactersMax ? text.slice(0, charactersMax).replace(/\S+$/, '') : text
  return scrubLine(start)
}

/** A whole line of the log, which stays the JSON that it is. */
function scrubLine(line: string): string {
  if (!suspicious.test(line)) return line
  return secrets.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), line)
}

type LoggedError = {
  type: string
  message: string
  code?: string
  constraint?: string
  stack?: string
  cause?: LoggedError
}

/**
 * An error for the log. Drivers put the values of a row into `detail`, `where` and some messages, Prisma the
 * whole call into its message: only what cannot hold a person is kept.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)).slice(0, 300) }
  const fields = error as Error & { code?: unknown; constraint?: unknown; detail?: unknown; brand?: unknown }
  const detail =
    fields.brand === 'sandpiper.problem' && typeof fields.detail === 'string' ? ` (${fields.detail})` : ''
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: scrub(messageOf(error) + detail).slice(0, 500),
    ...(typeof fields.code === 'string' && { code: fields.code }),
    ...(typeof fields.constraint === 'string' && { constraint: fields.constraint }),
    ...(frames?.length && { stack: frames.slice(0, 20).join('\n') }),
    ...(error.cause !== undefined && depth < 3 && { cause: toLoggedError(error.cause, depth + 1) }),
  }
}

function withoutStack({ stack: _, cause, ...rest }: LoggedError): LoggedError {
  return { ...rest, ...(cause && { cause: withoutStack(cause) }) }
}

function messageOf(error: Error): string {
  if (error.name.startsWith('PrismaClient'))
    return without(error.message.trim().split('\n').at(-1) ?? '', ': "', '"')
  // JSON.parse quotes the text that it refuses.
  if (error instanceof SyntaxError) return error.message.replace(/"[\s\S]*"/, '"…"')
  // Classes 22 and 23 of PostgreSQL quote the value that they refuse.
  const code = 'code' in error ? String(error.code) : ''
  if (!/^2[23]...$/.test(code)) return error.message
  const { message } = error
  return without(message.endsWith('"') ? without(message, ': "', '"') : message, ' (', ')')
}

/** The text without what stands from the first of one sign to the last of another. */
function without(text: string, first: string, last: string): string {
  const from = text.indexOf(first)
  const to = text.lastIndexOf(last)
  return from >= 0 && to >= from + first.length ? text.slice(0, from) + text.slice(to + last.length) : text
}
