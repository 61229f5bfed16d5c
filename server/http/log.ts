/** The structured log: one JSON object per line on standard output. */
import type { Writable } from 'node:stream'
import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'
import { findTransientError } from '../contract/http/transient-errors.ts'

/** Fields that may be logged by mistake; their values are redacted. */
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

/** Buffers lines, because one write for each would be slow. */
const writeBytes = 8_192
/** The longest time that a line waits. An orderly end loses no lines. */
const flushMs = 100
/** The most buffered characters if the reader of the log has stopped. Later lines are dropped. */
const waitingMax = 8_388_608
/** An outage is over after this time without an error of its kind. */
const outageMs = 60_000

/**
 * @param out replaces standard output in tests
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

/** In an outage all requests fail for the same reason, so the stack is only logged once. */
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
 * A log without redaction, for lines whose code lists all fields, none of them in `secretFields`: redaction takes four times
 * as long as the line. Texts are still scrubbed.
 */
export const withoutRedaction = (log: Logger): Logger => log.child({}, { redact: [] })

/** @returns false if the log could not be written in time */
export async function flushLog(log: Logger, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  // After writing, pino calls fsync, which fails on a pipe with EINVAL.
  const isWritten = (error?: NodeJS.ErrnoException) => !error || error.code === 'EINVAL'
  const flushed = new Promise<boolean>((resolve) => log.flush((error) => resolve(isWritten(error))))
  const isFlushed = await Promise.race([flushed, late])
  clearTimeout(timer)
  return isFlushed
}

const path = (name: string, before = ''): string => (name.includes('-') ? `["${name}"]` : `${before}${name}`)

export type { Logger }

/** Secrets to remove from texts and errors. Repetitions are bounded, so that matching a long text stays fast. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // API keys keep their public prefix.
  [/\b(svc_[tl][0-9A-Za-z]{7})[0-9A-Za-z]+/g, '$1…'],
  // Tokens, codes, launches and secrets of the authorization server, also truncated ones.
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

/** Matches every text that one of the patterns above can match: one test instead of eight. */
const suspicious = /svc_|sp[acrls]_|eyJ|bearer|[?&#]\w+=|-----BEGIN|@|:\/\//i

/** Scrubbing a longer text could take seconds, and logs keep less of a message anyway. */
const charactersMax = 2_000

/** @returns the beginning of a text, without keys, tokens, email addresses and connection strings */
export function scrub(text: string): string {
  // Cuts between words, because half a key would not be recognized.
  const start = text.length > charactersMax ? text.slice(0, charactersMax).replace(/\S+$/, '') : text
  return scrubLine(start)
}

/** Scrubs a line of the log, which stays valid JSON. */
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
 * Converts an error for the log. Drivers put values of a row into `detail`, `where` and some messages, and Prisma puts the
 * whole call into its message: only parts without personal data are logged.
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
  // JSON.parse quotes the text.
  if (error instanceof SyntaxError) return error.message.replace(/"[\s\S]*"/, '"…"')
  // PostgreSQL's errors of classes 22 and 23 quote the invalid value.
  const code = 'code' in error ? String(error.code) : ''
  if (!/^2[23]...$/.test(code)) return error.message
  const { message } = error
  return without(message.endsWith('"') ? without(message, ': "', '"') : message, ' (', ')')
}

/** Removes the text between the first occurrence of `first` and the last of `last`. */
function without(text: string, first: string, last: string): string {
  const from = text.indexOf(first)
  const to = text.lastIndexOf(last)
  return from >= 0 && to >= from + first.length ? text.slice(0, from) + text.slice(to + last.length) : text
}
