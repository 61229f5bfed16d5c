/** What the head of any answer of ours tells: its correlation id, what is left of the caller's own budget, when to come again. */

export type Budget = Readonly<{ name: string; seconds: number; requests: number; remaining: number }>

export type AnswerHead = Readonly<{
  headers: readonly (readonly [name: string, value: string])[]
  /** Without its parameters. */
  mediaType: string
  correlationId: string | null
  /** One for each window that the interface tells of; none where it tells of none. */
  budgets: readonly Budget[]
  retryAfterSeconds: number | null
}>

export function readAnswerHead(headers: Headers): AnswerHead {
  const retryAfter = headers.get('retry-after')
  return {
    headers: [...headers].map(([name, value]) => [name, value] as const),
    mediaType: (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '',
    correlationId: headers.get('x-correlation-id'),
    budgets: budgetsOf(headers),
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  }
}

/** https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 */
function budgetsOf(headers: Headers): Budget[] {
  const left = new Map(
    [...(headers.get('ratelimit') ?? '').matchAll(/"(\w+)";r=(\d+)/g)].map(([, name, r]) => [
      name,
      Number(r),
    ]),
  )
  const policies = [...(headers.get('ratelimit-policy') ?? '').matchAll(/"(\w+)";q=(\d+);w=(\d+)/g)]
  return policies.map(([, name = '', requests, seconds]) => ({
    name,
    seconds: Number(seconds),
    requests: Number(requests),
    remaining: left.get(name) ?? 0,
  }))
}

/** The value of a body, undefined for what is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
