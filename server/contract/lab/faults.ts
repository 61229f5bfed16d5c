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

/** Slow answers that one process waits with: more are a 503, so that a script of them costs nobody else a place. */
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
    does: 'The credential is refused as if it had just been revoked. At the token address: `invalid_client`.',
    client:
      'Does not repeat the request with the same credential: asks for a new token once, or stops and tells a person.',
    kind: 'answer',
    interfaces: everywhere,
    occasion: 'call',
    problem: 'unauthorized',
  },
  '403': {
    title: '403 Forbidden',
    does: 'The request is not allowed; nothing is read.',
    client: 'Does not repeat it, and says which access is missing.',
    kind: 'answer',
    interfaces: data,
    occasion: 'call',
    problem: 'forbidden',
  },
  '404': {
    title: '404 Not Found',
    does: 'There seems to be nothing; nothing is read.',
    client: 'Takes the record for absent and goes on.',
    kind: 'answer',
    interfaces: data,
    occasion: 'call',
    problem: 'not_found',
  },
  '429': {
    title: '429 Too Many Requests',
    does: 'The limit seems to be used up; `Retry-After` says how many seconds to wait.',
    client: 'Waits at least so long, then asks again.',
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
      'Repeats a read, or a write with its Idempotency-Key, after pauses that grow; gives up after a few.',
    kind: 'answer',
    interfaces: everywhere,
    occasion: 'call',
    problem: 'internal',
  },
  '503': {
    title: '503 Service Unavailable',
    does: 'The service seems busy, and says how many seconds to wait.',
    client: 'Waits at least so long, then asks again.',
    kind: 'answer',
    interfaces: everywhere,
    occasion: 'call',
    problem: 'unavailable',
    value: retryAfter,
  },
  latency: {
    title: 'Slow answer',
    does: 'The answer is the real one and comes so many milliseconds late.',
    client:
      'Has a time limit of its own and keeps its user informed; does not send the same again meanwhile.',
    kind: 'wait',
    interfaces: everywhere,
    occasion: 'call',
    value: { name: 'ms', min: 1, max: 30_000, usual: 5_000 },
  },
  cut: {
    title: 'Cut connection',
    does: 'The connection ends in the middle of the real answer. A write has taken place.',
    client: 'Throws away what came, asks again; repeats a write only with the same Idempotency-Key.',
    kind: 'change',
    interfaces: everywhere,
    occasion: 'call',
  },
  truncated: {
    title: 'Truncated JSON',
    does: 'Half of the real answer comes, a megabyte at most, as if it were whole. A write has taken place.',
    client: 'Notices that it does not parse, uses none of it, asks again.',
    kind: 'change',
    interfaces: everywhere,
    occasion: 'call',
  },
  'next-repeats': {
    title: 'A next link that repeats',
    does: 'The `next` link of the page leads to the page itself.',
    client: 'Notices an address it was at before, and stops.',
    kind: 'change',
    interfaces: ['fhir'],
    occasion: 'search',
  },
  'bulk-partial': {
    title: 'An export that fails in part',
    does: 'The export lacks its last type; `error` of the manifest leads to OperationOutcomes that say so.',
    client: 'Looks at `error` first, takes the export for incomplete, and asks for it again.',
    kind: 'plan',
    interfaces: ['bulk'],
    occasion: 'kick-off',
  },
  'bulk-slow': {
    title: 'A slow export',
    does: 'The export seems to run for so many minutes, and its progress grows steadily.',
    client:
      'Asks again no sooner than it is told, and survives its own restart by keeping the status address.',
    kind: 'plan',
    interfaces: ['bulk'],
    occasion: 'kick-off',
    value: { name: 'minutes', min: 1, max: 60, usual: 3 },
  },
  'bulk-short-links': {
    title: 'Links that end early',
    does: 'The links to the files of the export end so many minutes after its end.',
    client: 'Fetches at once; after the end of the links it runs the export again.',
    kind: 'plan',
    interfaces: ['bulk'],
    occasion: 'kick-off',
    value: { name: 'minutes', min: 1, max: 60, usual: 5 },
  },
  'link-expired': {
    title: 'An expired file link',
    does: 'The file is answered as one whose link has ended: 404.',
    client: 'Throws away the files of this run and runs the export again.',
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
