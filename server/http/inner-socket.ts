/**
 * Requests between the processes of one machine, over Unix sockets that only their user can open. The public process adds
 * the client's address in a header, which clients themselves cannot set.
 */
import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** The client's address, between our processes only: it is removed from requests of clients. */
export const callerHeader = 'x-sandpiper-caller'
/** Requests a page from the portal's cache without rendering it. The response says how long the page is valid. */
export const keptPageHeader = 'x-sandpiper-kept-page'
export const keptUntilHeader = 'x-sandpiper-kept-until'
/** How many requests may wait for the other process. Further ones are refused immediately. */
const waitingMax = 512
/** The most waiting requests with a body, so that slow uploads do not block other requests. */
const bodiesMax = { caller: 32, all: 256 }

/** Hop-by-hop headers: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1. Node has already handled `Expect`. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'expect',
  callerHeader,
  keptPageHeader,
])
/** Node chooses the transfer encoding, because HTTP/1.0 clients do not support chunks. */
const hopAnswerHeaders = new Set([...hopHeaders, 'transfer-encoding'])

type ForwarderOptions = {
  socketPath: string
  callerOf: (request: IncomingMessage) => string
  /** Called if the other process does not respond or is overloaded. Nothing was sent to the client yet. */
  onUnavailable: (request: IncomingMessage, response: ServerResponse, error: Error) => void
}

/** Forwards requests without changing path, end-to-end headers or body. */
export function createForwarder({ socketPath, callerOf, onUnavailable }: ForwarderOptions) {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  let waiting = 0
  let bodies = 0
  const bodiesOf = new Map<string, number>()

  function pass(request: IncomingMessage, response: ServerResponse, caller: string): void {
    const headers = [...without(request.rawHeaders, hopHeaders), callerHeader, caller]
    // Only HTTP/1.0 clients may omit it.
    if (request.headers.host === undefined) headers.push('Host', 'localhost')
    const outgoing = send({ agent, socketPath, method: request.method, path: request.url, headers })
    const leave = () => outgoing.destroy()
    response.once('close', leave)
    outgoing.once('close', () => response.off('close', leave))
    outgoing.once('response', (answer) => {
      const rawHeaders = without(answer.rawHeaders, hopAnswerHeaders)
      // The rest of the body is not read, so the connection cannot be reused.
      if (!request.complete) rawHeaders.push('Connection', 'close')
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, rawHeaders)
      answer.pipe(response)
      // Aborts the response if the other process aborts it.
      answer.once('error', (error) => response.destroy(error))
    })
    outgoing.once('error', (error) => {
      if (response.headersSent || response.destroyed) response.destroy(error)
      // The reused connection was closed at this moment, so the request was not read and can be repeated.
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
      const callerBodies = bodiesOf.get(caller) ?? 0
      const isFull = bodies >= bodiesMax.all || callerBodies >= bodiesMax.caller
      if (waiting >= waitingMax || (hasBody && isFull)) {
        onUnavailable(request, response, new Error(`${waiting} requests wait already, ${bodies} with a body`))
        return
      }
      waiting++
      response.once('close', () => waiting--)
      if (hasBody) {
        bodies++
        bodiesOf.set(caller, callerBodies + 1)
        response.once('close', () => leaveBody(caller))
      }
      pass(request, response, caller)
    },
    close: () => agent.destroy(),
  }
}

/** Like `fetch`, but over a Unix socket, which `fetch` does not support. */
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
    if (!hopAnswerHeaders.has(name.toLowerCase())) headers.append(name, value)
  }
  const { statusCode: status = 502, statusMessage: statusText = '' } = answer
  const hasBody = ![204, 205, 304].includes(status)
  if (!hasBody) answer.resume()
  return new Response(hasBody ? (Readable.toWeb(answer) as BodyInit) : null, { status, statusText, headers })
}

/** A request with a body cannot be repeated, because the body can be read only once. */
export function isRepeatable({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return !hasBody && (method === 'GET' || method === 'HEAD')
}

/** @returns alternating names and values */
function without(rawHeaders: readonly string[], names: ReadonlySet<string>): string[] {
  return pairs(rawHeaders)
    .filter(([name]) => !names.has(name.toLowerCase()))
    .flat()
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.push([rawHeaders[at] as string, rawHeaders[at + 1] as string])
  return headers
}
