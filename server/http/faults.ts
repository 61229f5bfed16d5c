/** The hook through which the APIs call the Fault Lab. */

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
   * @throws the Problem of the fault, which is then in `call.fault`; `validation` for a header that production, this API or
   *   this request does not accept
   */
  inject(call: FaultedCall, target: FaultedRequest): Promise<void>
}

/** For paths without credentials. @throws Problem `validation` for any fault header */
export function refuseFaults(request: Request): void {
  if (request.headers.has(faultHeader))
    throw new Problem('validation', {
      field: faultHeader,
      message: `${faultHeader} is for sandbox requests with a credential; this address takes none.`,
    })
}

// Changes a response as its fault requires: marked, interrupted, truncated, or with a `next` link to the same page.

/** The connection, which a fault may cut, and the flag for an injected fault. */
type AnsweredRequest = Readonly<{
  env: NodeBindings | undefined
  var: Readonly<{ edge: Pick<Edge, 'injected'> }>
}>

/** @param fault null leaves the response unchanged */
export async function faultedAnswer(
  answer: Response,
  fault: FaultStep | null,
  { env: bindings, var: { edge } }: AnsweredRequest,
): Promise<Response> {
  if (fault === null) return answer
  const codes = new Set(fault.map(({ code }) => code))
  // A real failure of the service still counts as one, unless the fault causes such responses.
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

/** The most bytes of a response to buffer, because documents and export files can be long. */
const halfBytesMax = 1_048_576

/** Reads half of the response, or as much of its beginning as may be buffered. */
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

const halfOf = (bytes: Buffer): Buffer =>
  bytes.subarray(0, Math.min(Math.floor(bytes.length / 2), halfBytesMax))

/** Decompresses the response and updates the headers. */
async function readPlain(answer: Response, headers: Headers): Promise<Buffer> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  const compressed = headers.get('content-encoding') === 'gzip'
  headers.delete('content-encoding')
  headers.delete('content-length')
  return compressed ? gunzipSync(bytes) : bytes
}

/** Changes the text, because parsing and serializing would lose digits of numbers. */
function withRepeatedLink(text: string): string {
  const { link = [] } = JSON.parse(text) as { link?: { relation: string; url: string }[] }
  const self = link.find(({ relation }) => relation === 'self')
  if (self === undefined) return text
  const others = link.filter(({ relation }) => relation !== 'next')
  const repeated = [...others, { relation: 'next', url: self.url }]
  return text.replace(`"link":${JSON.stringify(link)}`, () => `"link":${JSON.stringify(repeated)}`)
}

/** Sends half of the first chunk and then cuts the connection. */
function cut(body: ReadableStream<Uint8Array> | null, bindings: NodeBindings | undefined, status: number) {
  const socket = bindings?.incoming?.socket
  // These statuses have no body, so the connection is cut immediately.
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
          // Lets Node send the written bytes first.
          await new Promise((resolve) => setImmediate(resolve))
          socket.destroySoon()
          // Never resolves, because the connection is gone.
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
