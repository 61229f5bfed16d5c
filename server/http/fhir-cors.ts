/**
 * Browser apps of any origin may call: the credential is a token in a header, never a cookie, so the browser adds
 * nothing of its own. https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import { faultHeader, injectedHeader } from '../contract/lab/faults.ts'

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
