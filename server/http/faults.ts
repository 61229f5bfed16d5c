/** Where an interface calls the Fault Lab, and what it passes on about a request. */

import { gunzipSync } from 'node:zlib'
import { Problem } from '../contract/http/problems.ts'
import { type FaultStep, formatFaultStep } from '../contract/lab/fault-script.ts'
import {
  answeringFaults,
  type FaultInterface,
  type FaultOccasion,
  faultHeader,
  injectedHeader,
} from '../contract/lab/faults.ts'
import type { Edge, NodeBindings } from './edge.ts'

/** The sandbox key or the app that calls. */
export type FaultSubject =
  | Readonly<{ keyId: string; clientId?: undefined }>
  | Readonly<{ clientId: string; keyId?: undefined }>

/** The fields that an interface's call has for the Fault Lab. */
export type FaultedCall = {
  readonly request: Request
  /** The database confirmed during this request that the principal is valid. */
  alive: boolean
  /** The injected faults; null if there are none. */
  fault: FaultStep | null
}

export type FaultedRequest = Readonly<{
  environment: 'sandbox' | 'production'
  subject: FaultSubject
  api: FaultInterface
  /** The kinds of request this one is, `call` aside. */
  occasion: FaultOccasion
  /** Checks the credential in the database and throws if it is no longer valid. */
  confirm: () => Promise<void>
}>

export type Faults = {
  /**
   * @throws Problem of the fault, which stands in `call.fault` then; `validation` for a header that production, this
   *   interface or this request does not take
   */
  inject(call: FaultedCall, target: FaultedRequest): Promise<void>
}

/** For addresses that ask for no credential. @throws Problem `validation` for any fault header */
export function refuseFaults(request: Request): void {
  if (request.headers.has(faultHeader))
    throw new Problem('validation', {
      field: faultHeader,
      message: `${faultHeader} is for sandbox requests with a credential; this address takes none.`,
    })
}

// An answer as a fault leaves it: marked, cut, cut short, or with a link that leads in a circle.

/** Of a request: what is counted of it, and the connection to cut where there is one. */
type AnsweredRequest = Readonly<{
  env: NodeBindings | undefined
  var: Readonly<{ edge: Pick<Edge, 'injected'> }>
}>

/** @param fault what was injected; null leaves the answer as it is */
export async function faultedAnswer(
  answer: Response,
  fault: FaultStep | null,
  { env: bindings, var: { edge } }: AnsweredRequest,
): Promise<Response> {
  if (fault === null) return answer
  const codes = new Set(fault.map(({ code }) => code))
  // A failure of the service stays one, whatever fault it was that the request had asked for.
  edge.injected = answer.status < 500 || answeringFaults.some((code) => codes.has(code))
  const headers = new Headers(answer.headers)
  headers.set(injectedHeader, formatFaultStep(fault))
  const { status, body } = answer
  if (codes.has('cut')) return new Response(cut(body, bindings, status), { status, headers })
  if (body === null || status >= 400) return new Response(body, { status, headers })
  if (codes.has('truncated')) {
    return new Response(new Uint8Array(await readHalf(answer, headers)), { status, headers })
  }
  if (codes.has('next-repeats')) {
    const bundle = await readPlain(answer, headers)
    return new Response(withRepeatedLink(bundle.toString('utf8')), { status, headers })
  }
  return new Response(body, { status, headers })
}

/** More of an answer is never held, however long it is: a document or an export file comes in pieces. */
const halfBytesMax = 1_048_576

/** Half of it, or as much of its beginning as may be held. */
async function readHalf(answer: Response, headers: Headers): Promise<Buffer> {
  if (headers.get('content-encoding') === 'gzip') return halfOf(await readPlain(answer, headers))
  headers.delete('content-length')
  const reader = answer.body?.getReader()
  const pieces: Uint8Array[] = []
  for (let length = 0; length <= 2 * halfBytesMax; ) {
    const piece = (await reader?.read())?.value
    if (piece === undefined) return halfOf(Buffer.concat(pieces))
    pieces.push(piece)
    length += piece.length
  }
  await reader?.cancel()
  return Buffer.concat(pieces).subarray(0, halfBytesMax)
}

const halfOf = (whole: Buffer): Buffer =>
  whole.subarray(0, Math.min(Math.floor(whole.length / 2), halfBytesMax))

/** The bytes as they were before compression; the headers say so. */
async function readPlain(answer: Response, headers: Headers): Promise<Buffer> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  const compressed = headers.get('content-encoding') === 'gzip'
  headers.delete('content-encoding')
  headers.delete('content-length')
  return compressed ? gunzipSync(bytes) : bytes
}

/** Changes the text itself: parsing and serializing again would lose digits of numbers. */
function withRepeatedLink(text: string): string {
  const { link = [] } = JSON.parse(text) as { link?: { relation: string; url: string }[] }
  const self = link.find(({ relation }) => relation === 'self')
  if (self === undefined) return text
  const others = link.filter(({ relation }) => relation !== 'next')
  const repeated = [...others, { relation: 'next', url: self.url }]
  return text.replace(`"link":${JSON.stringify(link)}`, () => `"link":${JSON.stringify(repeated)}`)
}

/** Half of the first piece, and then no more of the connection. */
function cut(body: ReadableStream<Uint8Array> | null, bindings: NodeBindings | undefined, status: number) {
  const socket = bindings?.incoming?.socket
  // What may have no body ends before it begins.
  if (status === 204 || status === 304) {
    socket?.destroySoon?.()
    return null
  }
  const reader = body?.getReader()
  let begun = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (begun) {
        await reader?.cancel()
        if (socket?.destroySoon) {
          // What was written leaves first.
          await new Promise((resolve) => setImmediate(resolve))
          socket.destroySoon()
          // Nothing more comes, and no end either: the connection is gone.
          return new Promise(() => {})
        }
        controller.error(new Error('the connection was cut by a fault'))
        return
      }
      begun = true
      const first = (await reader?.read())?.value
      controller.enqueue(first?.subarray(0, Math.ceil(first.length / 2)) ?? new Uint8Array([32]))
    },
  })
}
