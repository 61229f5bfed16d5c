/** Builds a response from a text, with headers and conditional requests. */
import { streamResponse, textResponse } from './compression.ts'
import { corsHeaders } from './fhir-cors.ts'
import { fhirJson } from './fhir-format.ts'
import { dataHeaders } from './security-headers.ts'

/** Headers of every response of this interface. */
const always = { ...dataHeaders, ...corsHeaders } as const

interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A FHIR JSON text. */
export function jsonAnswer(
  request: Request,
  text: string,
  { status = 200, headers = {} }: AnswerOptions = {},
): Promise<Response> {
  return textResponse(request, text, { status, headers: { ...always, ...fhirJson, ...headers } })
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...always, ...headers } })
}

/** Other bytes, sent unchanged. */
export function streamAnswer(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { status = 200, headers = {} }: AnswerOptions = {},
): Response {
  return streamResponse(request, body, { status, headers: { ...always, ...headers } })
}
