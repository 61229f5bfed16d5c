/** From a text to an answer: headers and conditions. */
import { streamResponse, textResponse } from './compression.ts'
import { corsHeaders } from './fhir-cors.ts'
import { fhirJson } from './fhir-format.ts'
import { dataHeaders } from './security-headers.ts'

/** Of every answer at this interface. */
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

/** Bytes of another kind, as they come. */
export function streamAnswer(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { status = 200, headers = {} }: AnswerOptions = {},
): Response {
  return streamResponse(request, body, { status, headers: { ...always, ...headers } })
}
