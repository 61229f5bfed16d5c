/**
 * The one vocabulary of refusal. Each row says how a refusal looks at every interface; an interface renders it once
 * (REST envelope, OperationOutcome, portal page). No other file may pair a refusal with a status.
 */
import { findTransientError } from './transient-errors.ts'

export type ProblemRow = Readonly<{
  status: 400 | 401 | 403 | 404 | 405 | 406 | 409 | 410 | 413 | 415 | 416 | 429 | 500 | 503
  /** `error.code` of the REST and status envelopes; a promise to callers. */
  restCode: string
  /** https://hl7.org/fhir/R4/valueset-issue-type.html */
  fhirIssue: string
  /** Given by this interface alone. */
  only?: 'fhir' | 'portal'
  /** Said when no one gives a better sentence. Never holds what was sent. */
  message: string
}>

const row = <const Code extends string>(
  status: ProblemRow['status'],
  restCode: Code,
  fhirIssue: string,
  message: string,
) => ({ status, restCode, fhirIssue, message })
const forbidden = (message: string) => row(403, 'forbidden', 'forbidden', message)

export const problems = {
  validation: row(400, 'validation', 'invalid', 'The request is not valid.'),
  /** Text that others will read looks like a secret or a patient's details; its author may keep it with a reason. */
  text_warning: {
    ...row(
      400,
      'text_warning',
      'business-rule',
      'This text seems to contain a secret or a patient’s details.',
    ),
    only: 'portal',
  },
  malformed_json: row(400, 'malformed_json', 'structure', 'The body is not valid JSON.'),
  /** One sentence for every cause, so that no one learns which keys or tokens exist. */
  unauthorized: row(401, 'unauthorized', 'login', 'The credential is missing, unknown, expired or revoked.'),
  forbidden: forbidden('This is not allowed.'),
  read_only: forbidden('This API key is read-only: it may not write.'),
  mcp_writes_off: forbidden('This API key may not write through MCP: its owner has not enabled MCP writes.'),
  class_not_allowed: forbidden('This API key is not allowed to read this class of data.'),
  purpose_not_allowed: forbidden('This API key is not allowed this purpose.'),
  /** The practice allows the key at other hours. */
  outside_hours: forbidden('The practice does not allow this API key at this time of day.'),
  structural: forbidden('No API key may do this, whatever its access level.'),
  not_found: row(404, 'not_found', 'not-found', 'Nothing was found at this address.'),
  /** What the FHIR interface does not do at all: writes, history, unknown types and operations. */
  unsupported: {
    ...row(
      404,
      'unsupported',
      'not-supported',
      'This server is read-only and does not offer this interaction.',
    ),
    only: 'fhir',
  },
  method_not_allowed: row(
    405,
    'method_not_allowed',
    'not-supported',
    'This path does not support this method.',
  ),
  not_acceptable: {
    ...row(406, 'not_acceptable', 'not-supported', 'This server responds in application/fhir+json only.'),
    only: 'fhir',
  },
  conflict: row(409, 'conflict', 'conflict', 'The request conflicts with the current state.'),
  /** After the sunset of a deprecated operation. */
  gone: row(
    410,
    'gone',
    'not-supported',
    'This was deprecated and has ended. The documentation says what to use instead.',
  ),
  payload_too_large: row(413, 'payload_too_large', 'too-long', 'The body is larger than 1,048,576 bytes.'),
  unsupported_media_type: row(
    415,
    'unsupported_media_type',
    'not-supported',
    'The body must be application/json.',
  ),
  range_not_satisfiable: {
    ...row(416, 'range_not_satisfiable', 'invalid', 'The content has no bytes in this range.'),
    only: 'fhir',
  },
  rate_limited: row(
    429,
    'rate_limited',
    'throttled',
    'Too many requests. Wait for the time in Retry-After and reduce concurrency.',
  ),
  internal: row(
    500,
    'internal',
    'exception',
    'Something went wrong on our side. Retry with backoff. The correlation ID identifies this request.',
  ),
  unavailable: row(503, 'unavailable', 'transient', 'The service is busy. Retry after a moment.'),
} as const satisfies Record<string, ProblemRow>

export type ProblemKind = keyof typeof problems

/** Every `error.code` that the REST API answers with. */
export type RestCode = {
  [Kind in ProblemKind]: (typeof problems)[Kind] extends { only: string }
    ? never
    : (typeof problems)[Kind]['restCode']
}[ProblemKind]

export const restCodes = [
  ...new Set(
    Object.values<ProblemRow>(problems)
      .filter(({ only }) => only === undefined)
      .map(({ restCode }) => restCode),
  ),
] as readonly RestCode[] as readonly [RestCode, ...RestCode[]]

type ProblemOptions = {
  /** Public sentence, in place of the row's own. Holds nothing private. */
  message?: string
  /** For the log and the activity record only: a reason without PHI, keys or tokens. */
  detail?: string
  /** The parameter or form field at fault. */
  field?: string
  /** A finer issue code than the row's, for OperationOutcome: `required`, `not-supported`, `too-costly` … */
  fhirIssue?: string
  /** Becomes `Retry-After`, whole seconds, at least 1. */
  retryAfterSeconds?: number
  /** Becomes `Allow`. */
  allow?: readonly string[]
  /** Becomes `Content-Range`: the bytes that there are. */
  bytes?: number
  cause?: unknown
}

const brand = 'sandpiper.problem'

/** Thrown to end a request. `message` is public, `detail` is not. */
export class Problem extends Error {
  readonly brand = brand
  readonly kind: ProblemKind
  readonly detail: string | undefined
  readonly field: string | undefined
  readonly fhirIssue: string
  readonly retryAfterSeconds: number | undefined
  readonly allow: readonly string[] | undefined
  readonly bytes: number | undefined

  constructor(kind: ProblemKind, options: ProblemOptions = {}) {
    super(
      options.message ?? problems[kind].message,
      'cause' in options ? { cause: options.cause } : undefined,
    )
    this.name = 'Problem'
    this.kind = kind
    this.detail = options.detail
    this.field = options.field
    this.fhirIssue = options.fhirIssue ?? problems[kind].fhirIssue
    this.retryAfterSeconds = options.retryAfterSeconds
    this.allow = options.allow
    this.bytes = options.bytes
  }

  get row(): ProblemRow {
    return problems[this.kind]
  }

  get status(): ProblemRow['status'] {
    return this.row.status
  }

  /** Response headers that belong to this refusal at every interface. */
  get headers(): Record<string, string> {
    const headers: Record<string, string> = {}
    if (this.retryAfterSeconds !== undefined) {
      headers['Retry-After'] = String(Math.max(1, Math.ceil(this.retryAfterSeconds)))
    }
    if (this.allow !== undefined) headers.Allow = this.allow.join(', ')
    if (this.bytes !== undefined) headers['Content-Range'] = `bytes */${this.bytes}`
    return headers
  }
}

/** By brand, never by `instanceof`: the portal's bundle carries a copy of this file. */
export const isProblem = (thrown: unknown): thrown is Problem =>
  typeof thrown === 'object' && thrown !== null && 'brand' in thrown && thrown.brand === brand

/** Anything thrown as a Problem: what no one expected becomes `internal` and keeps its cause. */
export function toProblem(thrown: unknown): Problem {
  const known = asProblem(thrown)
  return isProblem(known) ? known : new Problem('internal', { cause: thrown })
}

/** An error that passes by itself becomes `unavailable`; every other one is returned as it is. */
export function asProblem(thrown: unknown): unknown {
  if (isProblem(thrown)) return thrown
  const transient = findTransientError(thrown)
  if (transient === null) return thrown
  const { cause: detail, retryAfterSeconds } = transient
  return new Problem('unavailable', { detail, retryAfterSeconds, cause: thrown })
}
