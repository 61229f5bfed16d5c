/**
 * Browser apps of any origin may call the FHIR API, because the credential is a token in a header: the browser sends no
 * cookie. https://fetch.spec.whatwg.org/#http-cors-protocol
 */

import { Problem } from '../contract/http/problems.ts'
import { faultHeader, injectedHeader } from '../contract/lab/faults.ts'
import type { Parameter } from '../search/compile.ts'
import { streamResponse, textResponse } from './compression.ts'
import { dataHeaders } from './security-headers.ts'

const methods = 'GET, HEAD, POST, DELETE, OPTIONS'

/**
 * Headers of apps, libraries and tracing. In browsers that support it, the wildcard allows all others, except
 * `Authorization`.
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

/** Headers of every response. */
const always = { ...dataHeaders, ...corsHeaders } as const

interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with FHIR JSON. */
export function jsonAnswer(
  request: Request,
  text: string | Buffer,
  { status = 200, headers = {} }: AnswerOptions = {},
): Promise<Response> {
  return textResponse(request, text, { status, headers: { ...always, ...fhirJson, ...headers } })
}

export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...always, ...headers } })

/** A streamed response of any other type. */
export function streamAnswer(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { status = 200, headers = {} }: AnswerOptions = {},
): Response {
  return streamResponse(request, body, { status, headers: { ...always, ...headers } })
}

// JSON is the only format. `_format` overrides `Accept`. `_pretty` is accepted without effect, because texts are sent as
// they are stored. https://hl7.org/fhir/R4/http.html#mime-type

export const fhirJson = { 'Content-Type': 'application/fhir+json; charset=utf-8' } as const

const formats = new Set(['json', 'application/json', 'application/fhir+json', 'text/json'])
const ranges = new Set([...formats, 'application/*', '*/*'])
const formatNames = new Set(['_format', '_pretty'])

/**
 * @returns the parameters without `_format` and `_pretty`
 * @throws Problem `not_acceptable`
 */
export function takeFormat(parameters: readonly Parameter[], accept: string | null): Parameter[] {
  const formatParameters = parameters.filter(([name]) => name === '_format')
  // An unencoded plus sign was decoded as a space.
  const accepted =
    formatParameters.length > 0
      ? formatParameters.every(([, value]) => formats.has(mediaType(value).replace(' ', '+')))
      : accept === null || accept.trim() === '' || accept.split(',').some(isSupported)
  if (!accepted) throw new Problem('not_acceptable')
  return parameters.filter(([name]) => !formatNames.has(name))
}

/** `q=0` and other FHIR versions do not match. */
function isSupported(range: string): boolean {
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

// https://hl7.org/fhir/R4/datatypes.html#id: no resource has an invalid id.

const idPattern = /^[A-Za-z0-9.-]{1,64}$/

/** @throws Problem `not_found` */
export function checkId(id: string): void {
  if (!idPattern.test(id)) throw new Problem('not_found')
}

// Errors are OperationOutcomes. They differ only in the correlation id if the cause is the same.
// https://hl7.org/fhir/R4/operationoutcome.html

export interface OutcomeIssue {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly diagnostics: string
  /** The invalid parameter. */
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

/** Field names of problems that are not names of parameters. */
const unnamed = new Set(['unknown_parameter', 'parameters', 'encoding'])

/** FHIR requires `http.` before the parameter's name in `expression`. */
export function problemOutcome({ fhirIssue, message, field }: Problem, correlationId: string): string {
  const expression = field === undefined || unnamed.has(field) ? undefined : [`http.${field}`]
  return outcomeText(
    [{ severity: 'error', code: fhirIssue, diagnostics: message, ...(expression && { expression }) }],
    correlationId,
  )
}
