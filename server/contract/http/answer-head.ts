/** What the head of any answer of ours tells: its correlation id, and when to come again. */

export type AnswerHead = Readonly<{
  headers: readonly (readonly [name: string, value: string])[]
  /** Without its parameters. */
  mediaType: string
  correlationId: string | null
  retryAfterSeconds: number | null
}>

export function readAnswerHead(headers: Headers): AnswerHead {
  const retryAfter = headers.get('retry-after')
  return {
    headers: [...headers].map(([name, value]) => [name, value] as const),
    mediaType: (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '',
    correlationId: headers.get('x-correlation-id'),
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  }
}

/** The value of a body, undefined for what is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
