/** The whole application with the explorer's own addresses and nobody else's pages. */
import type { AppLoadContext } from '@remix-run/server-runtime'
import * as callRoute from '../../app/explorer/calls/call.route.ts'
import * as fhirRoute from '../../app/explorer/fhir/fhir.route.tsx'
import * as mcpRoute from '../../app/explorer/mcp/mcp.route.tsx'
import { createApp } from '../../server/app.ts'
import { jsonOf } from '../../server/contract/http/answer-head.ts'
import type { TestServices } from './services.ts'

type Handler = (args: {
  request: Request
  params: Record<string, string>
  context: AppLoadContext
}) => unknown

type Asked = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Address of the connection. */
  ip?: string
}

const origin = 'https://portal.example'

/** What a page is given, as Remix would send it. */
function toResponse(said: unknown): Response {
  if (said instanceof Response) return said
  const { data = said, init = null } = said as { data?: unknown; init?: ResponseInit | null }
  return Response.json(data, init ?? {})
}

export function createExplorerApp(services: TestServices) {
  const app = createApp(services, async (request, context) => {
    const { pathname } = new URL(request.url)
    const route = {
      '/explorer/call': callRoute,
      '/explorer/fhir': fhirRoute,
      '/explorer/mcp': mcpRoute,
    }[pathname]
    if (route === undefined) return new Response(null, { status: 404 })
    const handler = (request.method === 'GET' ? route.loader : route.action) as Handler
    // What a page throws, Remix makes a page of: here its status is enough.
    const said = Promise.resolve(handler({ request, params: {}, context })).then(toResponse)
    return said.catch((thrown: unknown) => {
      if (thrown instanceof Response) return thrown
      const { init } = thrown as { init?: ResponseInit | null }
      return new Response(null, { status: init?.status ?? 500 })
    })
  })

  async function ask(path: string, { method = 'GET', headers = {}, body, ip = '203.0.113.200' }: Asked = {}) {
    const init: RequestInit = { method, headers: { origin, ...headers } }
    if (body !== undefined) init.body = body
    const answer = await app.fetch(new Request(origin + path, init), {
      incoming: { socket: { remoteAddress: ip } },
    })
    const text = await answer.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
    return { status: answer.status, headers: answer.headers, text, body: jsonOf(text) as any }
  }

  const post = (path: string, type: string, body: string, { headers = {}, ...rest }: Asked = {}) =>
    ask(path, { method: 'POST', ...rest, headers: { 'content-type': type, ...headers }, body })

  /** One call as JSON. */
  const call = (input: unknown, asked?: Asked) =>
    post(
      '/explorer/call',
      'application/json',
      typeof input === 'string' ? input : JSON.stringify(input),
      asked,
    )

  /** What a form of a page posts; a field with several values is there several times. */
  function fill(path: string, fields: Readonly<Record<string, string | readonly string[]>>, asked?: Asked) {
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((each) => [name, each]),
    )
    return post(path, 'application/x-www-form-urlencoded', `${new URLSearchParams(pairs)}`, asked)
  }

  return { ask, call, fill }
}
