/**
 * Browser apps of any origin may call: the credential is a token in a header, never a cookie, so the browser adds
 * nothing of its own. https://fetch.spec.whatwg.org/#http-cors-protocol
 */

import { Problem } from '../contract/http/problems.ts'
import { faultHeader, injectedHeader } from '../contract/lab/faults.ts'
import type { Parameter } from '../search/compile.ts'
import { streamResponse, textResponse } from './compression.ts'
import { dataHeaders } from './security-headers.ts'

const methods = 'GET, HEAD, POST, DELETE, OPTIONS'

/**
 * What apps send, what libraries and tracing add to it, and then anything: a browser that knows the wildcard takes it
 * for every header but `Authorization`.
 */
export const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'If-Modified-Since',
  'If-None-Match',
  'Prefer',
  'Range',
  'If-Range',
  'X-Correlation-Id',
  'Cache-Control',
  'Pragma',
  'X-Requested-With',
  'traceparent',
  'tracestate',
  'baggage',
  'sentry-trace',
  faultHeader,
  '*',
].join(', ')

const answerHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Location',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Last-Modified',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Client-Correlation-Id',
  'X-Correlation-Id',
  'X-Progress',
  injectedHeader,
].join(', ')

export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': answerHeaders,
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const

export const preflightHeaders = {
  ...corsHeaders,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': requestHeaders,
  'Access-Control-Max-Age': '7200',
} as const

// Builds a response from a text, with headers and conditional requests.

/** Headers of every response of this interface. */
const always = { ...dataHeaders, ...corsHeaders } as const

interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A FHIR JSON text. */
export function jsonAnswer(
  request: Request,
  text: string | Buffer,
  { status = 200, headers = {} }: AnswerOptions = {},
): Promise<Response> {
  return textResponse(request, text, { status, headers: { ...always, ...fhirJson, ...headers } })
}

export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...always, ...headers } })

/** Other bytes, sent unchanged. */
export function streamAnswer(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { status = 200, headers = {} }: AnswerOptions = {},
): Response {
  return streamResponse(request, body, { status, headers: { ...always, ...headers } })
}

// The one format that is spoken. `_format` wins over `Accept`; `_pretty` is taken and changes nothing, since
// texts leave as they are stored. https://hl7.org/fhir/R4/http.html#mime-type

export const fhirJson = { 'Content-Type': 'application/fhir+json; charset=utf-8' } as const

const formats = new Set(['json', 'application/json', 'application/fhir+json', 'text/json'])
const ranges = new Set([...formats, 'application/*', '*/*'])
const ours = new Set(['_format', '_pretty'])

/**
 * @returns the parameters without those of the format
 * @throws Problem `not_acceptable`
 */
export function takeFormat(parameters: readonly Parameter[], accept: string | null): Parameter[] {
  const formatParameters = parameters.filter(([name]) => name === '_format')
  // A plus that was not encoded has become a space.
  const accepted =
    formatParameters.length > 0
      ? formatParameters.every(([, value]) => formats.has(mediaType(value).replace(' ', '+')))
      : accept === null || accept.trim() === '' || accept.split(',').some(isOurs)
  if (!accepted) throw new Problem('not_acceptable')
  return parameters.filter(([name]) => !ours.has(name))
}

/** `q=0` refuses; a version of FHIR that is not this one is another format. */
function isOurs(range: string): boolean {
  if (!ranges.has(mediaType(range))) return false
  return range
    .split(';')
    .slice(1)
    .map((parameter) => parameter.trim().toLowerCase().replaceAll('"', '').split('='))
    .every(([name, value = '']) => {
      if (name === 'q') return Number(value) > 0
      return name !== 'fhirversion' || value === '4.0'
    })
}

const mediaType = (text: string): string => (text.split(';')[0] ?? '').trim().toLowerCase()

// https://hl7.org/fhir/R4/datatypes.html#id — what cannot be an id names nothing that is there.

const idPattern = /^[A-Za-z0-9.-]{1,64}$/

/** @throws Problem `not_found` */
export function checkId(id: string): void {
  if (!idPattern.test(id)) throw new Problem('not_found')
}

// How this interface says no: an OperationOutcome, the same bytes for the same cause but for the correlation id.
// https://hl7.org/fhir/R4/operationoutcome.html

export interface OutcomeIssue {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly diagnostics: string
  /** The parameter at fault. */
  readonly expression?: readonly string[]
}

export function outcomeText(issues: readonly OutcomeIssue[], correlationId?: string): string {
  return JSON.stringify({
    resourceType: 'OperationOutcome',
    ...(correlationId !== undefined && { id: correlationId }),
    issue: issues.map(({ severity, code, diagnostics, expression }) => ({
      severity,
      code,
      details: { text: diagnostics },
      diagnostics,
      ...(expression !== undefined && { expression }),
    })),
  })
}

/** Fields that stand for no parameter of ours, or for all of them. */
const unnamed = new Set(['unknown_parameter', 'parameters', 'encoding'])

/** `expression` names a parameter as FHIR asks: `http.` and its name. */
export function problemOutcome({ fhirIssue, message, field }: Problem, correlationId: string): string {
  const expression = field === undefined || unnamed.has(field) ? undefined : [`http.${field}`]
  return outcomeText(
    [{ severity: 'error', code: fhirIssue, diagnostics: message, ...(expression && { expression }) }],
    correlationId,
  )
}
