/** Serves the status page's addresses with its loaders, so that tests of the server need no built pages. */
import type { AppLoadContext } from '@remix-run/server-runtime'
import { loader as feeds } from '../../app/status/feeds/feeds.route.ts'
import { loader as page } from '../../app/status/now.route.tsx'
import { paths } from '../../server/contract/portal/paths.ts'
import type { PortalHandler } from '../../server/portal/portal-handler.ts'
import type { Services } from '../../server/services.ts'

/** Feeds are served as they are. In place of the page, the response holds its loader's data. */
export const statusPortal: PortalHandler = async (request, context) => {
  const args = { request, context, params: {} }
  switch (new URL(request.url).pathname) {
    case paths.status: {
      const { data, init } = await page(args)
      return request.method === 'HEAD' ? new Response(null, init ?? {}) : Response.json(data, init ?? {})
    }
    case paths.statusMarkdown:
    case paths.statusRss:
    case paths.statusJson:
    case paths.statusBadge:
      return feeds(args)
    default:
      return otherPage(request, context)
  }
}

export const statusPaths = [
  paths.status,
  paths.statusMarkdown,
  paths.statusRss,
  paths.statusJson,
  paths.statusBadge,
] as const

/** The pages that the availability checks request. Practice sign-in fails if sessions cannot be read. */
async function otherPage(request: Request, { services }: AppLoadContext): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === paths.home) return new Response('<h1>Sandpiper</h1>')
  if (pathname !== paths.practiceSignIn) return new Response(null, { status: 404 })
  try {
    await (services as Services).sessions.read(request, 'practice')
    return new Response('<h1>Practice sign-in</h1>')
  } catch {
    return new Response(null, { status: 503 })
  }
}
