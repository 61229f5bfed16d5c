/** One request of the explorer to this very server, in this process: it passes every door as any other does. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'

export interface HereAnswer {
  readonly status: number
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly text: string
  readonly durationMs: number
}

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
  const answer = await context.callDoor(request)
  const text = await answer.text()
  return {
    status: answer.status,
    headers: [...answer.headers].map(([name, value]) => ({ name, value })),
    text,
    durationMs: Math.round(performance.now() - begun),
  }
}
