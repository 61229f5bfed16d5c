/** The whole application with the explorer's own addresses and nobody else's pages. */
import type { AppLoadContext } from '@remix-run/server-runtime'
import * as callRoute from '../../app/explorer/calls/call.route.ts'
import { loadBuilder, runBuilder } from '../../app/explorer/fhir/fhir-builder.server.ts'
import { loadConsole, runConsole } from '../../app/explorer/mcp/mcp-console.server.ts'
import { createApp } from '../../server/app.ts'
import type { TestServices } from './services.ts'

type Handler = (args: {
  request: Request
  params: Record<string, string>
  context: AppLoadContext
}) => Promise<Response> | Response

type Asked = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Address of the connection. */
  ip?: string
}

const origin = 'https://portal.example'

/** What the page of the console is given. */
const consoleRoute = {
  loader: async (args: Parameters<typeof loadConsole>[0]) => Response.json(await loadConsole(args)),
  action: async (args: Parameters<typeof runConsole>[0]) => Response.json(await runConsole(args)),
}

/** What the page of the FHIR builder is given. */
const builderRoute = {
  loader: async (args: Parameters<typeof loadBuilder>[0]) => Response.json(await loadBuilder(args)),
  action: async (args: Parameters<typeof runBuilder>[0]) => {
    const outcome = await runBuilder(args)
    return Response.json(outcome, { status: outcome.kind === 'refused' ? 400 : 200 })
  },
}

export function createExplorerApp(services: TestServices) {
  const app = createApp(services, async (request, context) => {
    const { pathname } = new URL(request.url)
    const route = {
      '/explorer/call': callRoute,
      '/explorer/fhir': builderRoute,
      '/explorer/mcp': consoleRoute,
    }[pathname]
    if (route === undefined) return new Response(null, { status: 404 })
    const handler = (request.method === 'GET' ? route.loader : route.action) as Handler
    // What a page throws, Remix makes a page of: here its status is enough.
    return Promise.resolve(handler({ request, params: {}, context })).catch((thrown: unknown) => {
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
    return { status: answer.status, headers: answer.headers, text, body: parse(text) }
  }

  /** What the explorer's pages post. */
  function call(input: unknown, { headers = {}, ...rest }: Asked = {}) {
    const body = typeof input === 'string' ? input : JSON.stringify(input)
    return ask('/explorer/call', {
      method: 'POST',
      ...rest,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  }

  /** What a form of a page posts; a field with several values is there several times. */
  function fill(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    { headers = {}, ...rest }: Asked = {},
  ) {
    const body = new URLSearchParams()
    for (const [name, values] of Object.entries(fields))
      for (const value of [values].flat()) body.append(name, value)
    return ask(path, {
      method: 'POST',
      ...rest,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: body.toString(),
    })
  }

  return { ask, call, fill }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
