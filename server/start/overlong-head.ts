/**
 * What Node refuses before there is a request: an address or headers over {@link headBytesMax}. The refusal has the shape
 * of the interface that the request line names, if that line came with the bytes that Node could not take any more.
 */
import type { Duplex } from 'node:stream'
import { html } from 'hono/html'
import { Problem } from '../contract/http/problems.ts'
import { refuse } from '../contract/smart/oauth-errors.ts'
import { newCorrelationId } from '../http/correlation.ts'
import { errorEnvelope } from '../http/error-envelope.ts'
import { jsonAnswer } from '../http/fhir-answer.ts'
import { corsHeaders } from '../http/fhir-cors.ts'
import { problemOutcome } from '../http/outcome.ts'
import { plainPage } from '../http/plain-page.ts'
import { errorPage, oauthError } from '../smart/answers.ts'

/**
 * Node's own 16 kB end a search or a request to authorize that is merely long before its interface can say so. Less than
 * what is read at once, so that the request line is at hand when a local client or proxy sends more.
 */
export const headBytesMax = 64_000

type ParserError = Error & { code?: string; rawPacket?: Buffer }

/** For what is no HTTP, or came too slowly, as Node answers when nobody listens. */
const bareStatus: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
}

export function answerParserError({ code = '', rawPacket }: ParserError, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  if (code !== 'HPE_HEADER_OVERFLOW') {
    socket.end(`HTTP/1.1 ${bareStatus[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
    return
  }
  const [, target = ''] = /^[A-Z]+ (\S{1,200})/.exec(rawPacket?.toString('latin1', 0, 300) ?? '') ?? []
  void refusal(target).then(async (response) => {
    const body = await response.text()
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const length = `content-length: ${Buffer.byteLength(body)}\r\n`
    socket.end(`HTTP/1.1 ${response.status} Bad Request\r\n${head}${length}connection: close\r\n\r\n${body}`)
  })
}

async function refusal(target: string): Promise<Response> {
  const correlationId = newCorrelationId(new Date())
  const response = await shaped(target, correlationId)
  response.headers.set('X-Correlation-Id', correlationId)
  return response
}

function shaped(target: string, correlationId: string): Response | Promise<Response> {
  const message = `The address and the headers have more than ${headBytesMax.toLocaleString('en-US')} bytes.`
  const problem = new Problem('validation', { message, fhirIssue: 'too-long' })
  if (/^\/r4\/[^/]+\/authorize\b/.test(target)) return errorPage(refuse('parameter_too_long'), correlationId)
  if (/^\/r4\/[^/]+\/(token|introspect|revoke)\b/.test(target))
    return oauthError(refuse('parameter_too_long'), false)
  if (/^\/r4\b/.test(target))
    return jsonAnswer(new Request('http://localhost'), problemOutcome(problem, correlationId), {
      status: 400,
    })
  if (/^(\/sandbox)?\/api\/v1\b/.test(target)) return errorEnvelope(problem, correlationId)
  if (target === '') return errorEnvelope(problem, correlationId, corsHeaders)
  const body = html`<p>${message} Delete this site’s cookies, or use a shorter link.</p>`
  return plainPage({ title: 'This request is too long', body, correlationId, status: 400 })
}
