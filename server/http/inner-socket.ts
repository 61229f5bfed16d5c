/**
 * Requests between the processes of one machine, over Unix sockets that only their own user can open. The process that
 * people reach says for whom it asks; no one else can.
 */
import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** Set on the way between our processes, and removed from what comes from outside. */
export const callerHeader = 'x-sandpiper-caller'
/** Asks the portal for a page that it keeps, which it never renders for this; its answer says until when. */
export const keptPageHeader = 'x-sandpiper-kept-page'
export const keptUntilHeader = 'x-sandpiper-kept-until'
/** How many requests may wait for the other process. Further ones are refused immediately. */
const waitingMax = 512
/** Of these with a body, from one caller and in all: who sends slowly holds up no one who reads. */
const bodiesMax = { caller: 32, all: 256 }

/** Of one connection only: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1. `Expect` has been answered here. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'expect',
  callerHeader,
  keptPageHeader,
])
/** Node says by itself how an answer ends; a client of HTTP/1.0 knows no chunks. */
const ownAnswerHeaders = new Set([...ownHeaders, 'transfer-encoding'])

type ForwarderOptions = {
  socketPath: string
  callerOf: (request: IncomingMessage) => string
  /** The other process gave no answer, or has too much to do. Nothing was sent to the caller yet. */
  onUnavailable: (request: IncomingMessage, response: ServerResponse, error: Error) => void
}

/** Passes whole requests on, unread: path, headers and bodies stay as they came. */
export function createForwarder({ socketPath, callerOf, onUnavailable }: ForwarderOptions) {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  let waiting = 0
  let bodies = 0
  const bodiesOf = new Map<string, number>()

  function pass(request: IncomingMessage, response: ServerResponse, caller: string): void {
    const headers = [...without(request.rawHeaders, ownHeaders), callerHeader, caller]
    // Only HTTP/1.0 may leave it out.
    if (request.headers.host === undefined) headers.push('Host', 'localhost')
    const outgoing = send({ agent, socketPath, method: request.method, path: request.url, headers })
    const leave = () => outgoing.destroy()
    response.once('close', leave)
    outgoing.once('close', () => response.off('close', leave))
    outgoing.once('response', (answer) => {
      const rawHeaders = without(answer.rawHeaders, ownAnswerHeaders)
      // The rest of its body is no one's.
      if (!request.complete) rawHeaders.push('Connection', 'close')
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, rawHeaders)
      answer.pipe(response)
      // An answer that breaks off there breaks off here.
      answer.once('error', (error) => response.destroy(error))
    })
    outgoing.once('error', (error) => {
      if (response.headersSent || response.destroyed) response.destroy(error)
      // The connection had been kept and was closed as we used it: nothing has read the request.
      else if (outgoing.reusedSocket && isRepeatable(request)) pass(request, response, caller)
      else onUnavailable(request, response, error)
    })
    if (isRepeatable(request)) outgoing.end()
    else request.pipe(outgoing)
  }

  function leaveBody(caller: string): void {
    bodies--
    const left = (bodiesOf.get(caller) ?? 1) - 1
    if (left > 0) bodiesOf.set(caller, left)
    else bodiesOf.delete(caller)
  }

  return {
    forward(request: IncomingMessage, response: ServerResponse): void {
      const caller = callerOf(request)
      const hasBody = !isRepeatable(request)
      const own = bodiesOf.get(caller) ?? 0
      if (waiting >= waitingMax || (hasBody && (bodies >= bodiesMax.all || own >= bodiesMax.caller))) {
        onUnavailable(request, response, new Error(`${waiting} requests wait already, ${bodies} with a body`))
        return
      }
      waiting++
      response.once('close', () => waiting--)
      if (hasBody) {
        bodies++
        bodiesOf.set(caller, own + 1)
        response.once('close', () => leaveBody(caller))
      }
      pass(request, response, caller)
    },
    close: () => agent.destroy(),
  }
}

/** A request to another process of ours, as `fetch` sends one; there is no `fetch` over a socket. */
export function fetchOverSocket(socketPath: string) {
  const agent = new Agent({ keepAlive: true })

  return (request: Request, ip: string): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(request.url)
      const { method, signal } = request
      const headers = { ...Object.fromEntries(request.headers), host, [callerHeader]: ip }
      const outgoing = send({ agent, socketPath, method, path: pathname + search, headers, signal })
      outgoing.once('error', reject)
      outgoing.once('response', (answer) => resolve(toResponse(answer)))
      if (request.body) Readable.fromWeb(request.body as ReadableStream).pipe(outgoing)
      else outgoing.end()
    })
}

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, value] of pairs(answer.rawHeaders)) {
    if (!ownAnswerHeaders.has(name.toLowerCase())) headers.append(name, value)
  }
  const { statusCode: status = 502, statusMessage: statusText = '' } = answer
  const hasBody = ![204, 205, 304].includes(status)
  if (!hasBody) answer.resume()
  return new Response(hasBody ? (Readable.toWeb(answer) as BodyInit) : null, { status, statusText, headers })
}

/** A body can be read once only. */
export function isRepeatable({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return !hasBody && (method === 'GET' || method === 'HEAD')
}

/** @returns names and values in turn */
function without(rawHeaders: readonly string[], names: ReadonlySet<string>): string[] {
  return pairs(rawHeaders)
    .filter(([name]) => !names.has(name.toLowerCase()))
    .flat()
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const found: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    found.push([rawHeaders[at] as string, rawHeaders[at + 1] as string])
  return found
}
