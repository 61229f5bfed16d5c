/**
 * The sandbox under our own origin, for the reference's try-it: a path and a method are looked up in the table of
 * operations, and the request is built from there like every other of the explorer's. Only scripts of our own pages are
 * answered: a link, a form or a picture of another site never is.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { parseBoundedJson } from '../../../server/contract/http/json-bounds.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import {
  findOperation,
  headersOf,
  matchOperation,
  type RequestRefusal,
} from '../../../server/contract/lab/explorer-request.ts'
import { longDeadlineMs, page } from '../../services.server.ts'
import { explorerCaller } from './caller.server.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** What of the interface's headers the page may see. */
const passedOn = [
  'content-type',
  'x-correlation-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'allow',
  'content-language',
]

const pass = page(
  async (args: Args): Promise<Response> => {
    const { request, params, context } = args
    const { explorerCalls } = context.services
    const caller = await explorerCaller(args)
    const refuse = (refusal: RequestRefusal, status = 400) =>
      refused(explorerCalls.refuse({ refusal, field: null }, caller).message, status)
    if (!isOwnScript(request)) return refuse('foreign', 403)
    // A key in a browser is a leaked key, and this one would not even be used.
    if (request.headers.has('authorization')) return refuse('credential')
    const found = matchOperation(request.method, pathOf(args))
    const row = found && findOperation(found.operation)
    if (found === null || row === null) return refuse('unknown_operation', 404)
    const query = readQuery(new URL(request.url).searchParams)
    const body = row.body === undefined ? { value: undefined } : await readBody(request)
    if (query === null) return refuse('malformed')
    if (body === null) return refuse('body_not_json')
    try {
      const answer = await explorerCalls.pass(
        {
          ...found,
          practice: params.practice,
          level: params.level === 'full' ? 'full' : 'read_only',
          query,
          headers: readHeaders(request, headersOf(row)),
          body: body.value,
        },
        caller,
      )
      return answer instanceof Response ? withFewHeaders(answer) : refused(answer.message, 400)
    } catch (thrown) {
      if (!isProblem(thrown) || thrown.status >= 500) throw thrown
      return refused(thrown.message, thrown.status, thrown.headers)
    }
  },
  { withinMs: longDeadlineMs },
)

export const loader = pass
export const action = pass

/** https://w3c.github.io/webappsec-fetch-metadata/ — a browser lets no page set these. */
function isOwnScript({ headers }: Request): boolean {
  return headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-dest') === 'empty'
}

/** As it came, percent signs and all: Remix decodes what it matches. */
function pathOf({ request, params }: Args): string {
  const { pathname } = new URL(request.url)
  const before = `/explorer/sandbox/${params.practice}/${params.level}`
  return pathname.startsWith(before) ? pathname.slice(before.length) : ''
}

/** Null when a parameter is given twice. */
function readQuery(query: URLSearchParams): Record<string, string> | null {
  const names = [...query.keys()]
  return new Set(names).size === names.length ? Object.fromEntries(query) : null
}

async function readBody(request: Request): Promise<{ value: unknown } | null> {
  try {
    return { value: parseBoundedJson(await request.text()) }
  } catch {
    return null
  }
}

/** Browsers send many headers by themselves: what is not the operation's own stays behind. */
function readHeaders(request: Request, known: ReturnType<typeof headersOf>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, isKnown]) => {
      const value = request.headers.get(name)
      return value === null || (name === 'Accept' && !isKnown(value)) ? [] : [[name, value]]
    }),
  )
}

function withFewHeaders(answer: Response): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  for (const name of passedOn) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers })
}

function refused(message: string, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error: { code: 'explorer', message } },
    { status, headers: { ...headers, 'Cache-Control': 'no-store' } },
  )
}
