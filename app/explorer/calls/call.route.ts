/**
 * One call as JSON, for scripts of our own pages: the operation and its values. It can't name a URL or other headers
 * (contract/lab/explorer-request.ts).
 */
import { parseBoundedJson } from '../../../server/contract/http/json-bounds.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { explorerCallSchema, type RequestRefusal } from '../../../server/contract/lab/explorer-request.ts'
import { longDeadlineMs, page } from '../../services.server.ts'
import { explorerCaller } from './caller.server.ts'

export const action = page(
  async (args): Promise<Response> => {
    const { explorerCalls } = args.context.services
    const caller = await explorerCaller(args)
    const refuse = (refusal: RequestRefusal) =>
      answer(explorerCalls.refuse({ refusal, field: null }, caller), 400)
    if (args.request.method !== 'POST' || !isJson(args.request)) return refuse('malformed')
    const input = explorerCallSchema.safeParse(await readJson(args.request))
    if (!input.success) return refuse('malformed')
    try {
      const result = await explorerCalls.call(input.data, caller)
      return answer(result, result.kind === 'refused' ? 400 : 200)
    } catch (thrown) {
      if (!isProblem(thrown) || thrown.status >= 500) throw thrown
      const { status, message, headers } = thrown
      return answer({ kind: 'failed', message }, status, headers)
    }
  },
  { withinMs: longDeadlineMs },
)

/** GET makes no call, because a link on any site could send it. */
export const loader = () =>
  answer({ kind: 'failed', message: 'Send calls with POST.' }, 405, { Allow: 'POST' })

function isJson(request: Request): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')
}

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text()
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}

function answer(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}
