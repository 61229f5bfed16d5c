/**
 * What the sandbox does wrong when it is asked to: the faults, where they may be had, and what a good client does
 * then. Production knows none of them and refuses the header.
 */
import type { ProblemKind } from '../http/problems.ts'

/** Asks for one fault, of this request alone. */
export const faultHeader = 'X-Sandbox-Fault'
/** Stands in the answer that a fault has changed. */
export const injectedHeader = 'X-Sandbox-Fault-Injected'

export const faultHoursMax = 24
/** Steps of a script, each counted as often as it is repeated. */
export const faultStepsMax = 50

/** Slow answers that one process waits with: more are a 503, so that a script of them costs no one else a place. */
export const faultWaitsMax = { ofOne: 20, inAll: 200 } as const

/** MCP is a path of the REST interface. */
export type FaultInterface = 'rest' | 'fhir' | 'bulk' | 'token'
/** What kind of request it must be; `call`: any. */
export type FaultOccasion = 'call' | 'search' | 'kick-off' | 'file'

type FaultRow = Readonly<{
  title: string
  /** What happens, one sentence. */
  does: string
  /** What a good client does then. */
  client: string
  /**
   * `answer`: replaces the response, and nothing is read. `wait`: before the request is served. `change`: of
   * the answer, which was really made. `plan`: of the export that is asked for.
   */
  kind: 'answer' | 'wait' | 'change' | 'plan'
  interfaces: readonly FaultInterface[]
  occasion: FaultOccasion
  problem?: ProblemKind
  /** A whole number that may follow: `latency;ms=2000`. */
  value?: Readonly<{ name: string; min: number; max: number; usual: number }>
}>

const everywhere = ['rest', 'fhir', 'bulk', 'token'] as const
const data = ['rest', 'fhir', 'bulk'] as const
const retryAfter = { name: 'retry-after', min: 1, max: 120, usual: 5 } as const

export const faults = {
  '401': {
    title: '401 Unauthorized',
    does: 'The credential is refused as if it had just been revoked. At the token endpoint: `invalid_client`.',
    client:
      'Doesn’t repeat the request with the same credential. Requests a new token once, or stops and alerts a person.',
    kind: 'answer',
    interfaces: everywhere,
    occasion: 'call',
    problem: 'unauthorized',
  },
  '403': {
    title: '403 Forbidden',
    does: 'The request is not allowed; nothing is read.',
    client: 'Doesn’t repeat it, and reports which access is missing.',
    kind: 'answer',
    interfaces: data,
    occasion: 'call',
    problem: 'forbidden',
  },
  '404': {
    title: '404 Not Found',
    does: 'The record seems not to exist; nothing is read.',
    client: 'Treats the record as missing and continues.',
    kind: 'answer',
    interfaces: data,
    occasion: 'call',
    problem: 'not_found',
  },
  '429': {
    title: '429 Too Many Requests',
    does: 'The limit seems to be used up. `Retry-After` gives the seconds to wait.',
    client: 'Waits at least that long, then retries.',
    kind: 'answer',
    interfaces: everywhere,
    occasion: 'call',
    problem: 'rate_limited',
    value: retryAfter,
  },
  '500': {
    title: '500 Internal Server Error',
    does: 'The server seems broken; nothing is read or written.',
    client:
      'Retries a read, or a write with its Idempotency-Key, with increasing pauses. Gives up after a few attempts.',
    kind: 'answer',
    interfaces: everywhere,
    occasion: 'call',
    problem: 'internal',
  },
  '503': {
    title: '503 Service Unavailable',
    does: 'The service seems busy. `Retry-After` gives the seconds to wait.',
    client: 'Waits at least that long, then retries.',
    kind: 'answer',
    interfaces: everywhere,
    occasion: 'call',
    problem: 'unavailable',
    value: retryAfter,
  },
  latency: {
    title: 'Slow response',
    does: 'The real response arrives late by this many milliseconds.',
    client:
      'Has its own timeout, keeps its user informed, and doesn’t send the same request again in the meantime.',
    kind: 'wait',
    interfaces: everywhere,
    occasion: 'call',
    value: { name: 'ms', min: 1, max: 30_000, usual: 5_000 },
  },
  cut: {
    title: 'Dropped connection',
    does: 'The connection drops in the middle of the real response. A write has taken place.',
    client: 'Discards the partial response and retries. Repeats a write only with the same Idempotency-Key.',
    kind: 'change',
    interfaces: everywhere,
    occasion: 'call',
  },
  truncated: {
    title: 'Truncated JSON',
    does: 'Half of the real response arrives, a megabyte at most, as if it were complete. A write has taken place.',
    client: 'Notices that it doesn’t parse, uses none of it, and retries.',
    kind: 'change',
    interfaces: everywhere,
    occasion: 'call',
  },
  'next-repeats': {
    title: 'A next link that repeats',
    does: 'The page’s `next` link points to the page itself.',
    client: 'Notices a URL it has already visited, and stops.',
    kind: 'change',
    interfaces: ['fhir'],
    occasion: 'search',
  },
  'bulk-partial': {
    title: 'A partially failed export',
    does: 'The export lacks its last type. `error` in the manifest points to OperationOutcomes that say so.',
    client: 'Checks `error` first, treats the export as incomplete, and requests it again.',
    kind: 'plan',
    interfaces: ['bulk'],
    occasion: 'kick-off',
  },
  'bulk-slow': {
    title: 'A slow export',
    does: 'The export seems to run for this many minutes, with steady progress.',
    client: 'Polls no sooner than Retry-After says, and survives its own restart by keeping the status URL.',
    kind: 'plan',
    interfaces: ['bulk'],
    occasion: 'kick-off',
    value: { name: 'minutes', min: 1, max: 60, usual: 3 },
  },
  'bulk-short-links': {
    title: 'Links that expire early',
    does: 'The export’s file links expire this many minutes after it completes.',
    client: 'Downloads at once. When links have expired, it runs the export again.',
    kind: 'plan',
    interfaces: ['bulk'],
    occasion: 'kick-off',
    value: { name: 'minutes', min: 1, max: 60, usual: 5 },
  },
  'link-expired': {
    title: 'An expired file link',
    does: 'The file request gets the response of an expired link: 404.',
    client: 'Discards the files of this run and runs the export again.',
    kind: 'answer',
    interfaces: ['bulk'],
    occasion: 'file',
    problem: 'not_found',
  },
} as const satisfies Record<string, FaultRow>

export type FaultCode = keyof typeof faults
export const faultCodes = Object.keys(faults) as FaultCode[]

export const faultRow = (code: FaultCode): FaultRow => faults[code]

/** Faults that replace a response, whatever the request was. */
export const answeringFaults = (Object.keys(faults) as FaultCode[]).filter(
  (code) => faultRow(code).kind === 'answer',
)

/** The word of a script for a request that is left alone. */
export const noFault = 'ok'

/** Who may have it: for pages and guides. */
export const interfaceNames: Readonly<Record<FaultInterface, string>> = {
  rest: 'REST and MCP',
  fhir: 'FHIR',
  bulk: 'Bulk Data',
  token: 'Token',
}
