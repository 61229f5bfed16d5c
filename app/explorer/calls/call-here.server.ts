/** One request of the explorer to this very server, in this process: it passes every interface as any other does. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { type AnswerHead, readAnswerHead } from '../../../server/contract/http/answer-head.ts'

export type HereAnswer = AnswerHead &
  Readonly<{
    status: number
    durationMs: number
    bytes: number
    text: string
  }>

/** @param url of an interface of ours, made from a contract; never what somebody typed */
export async function callHere(
  { context }: LoaderFunctionArgs | ActionFunctionArgs,
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<HereAnswer> {
  const begun = performance.now()
  const method = body === undefined ? 'GET' : 'POST'
  const request = new Request(url, { method, headers, ...(body !== undefined && { body }) })
  const answer = await context.callApi(request)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return {
    ...readAnswerHead(answer.headers),
    status: answer.status,
    durationMs: Math.round(performance.now() - begun),
    bytes: bytes.length,
    text: new TextDecoder().decode(bytes),
  }
}
