/** The status page's own loaders behind the whole server: its addresses answer without the built pages. */
import type { AppLoadContext } from '@remix-run/server-runtime'
import { loader as feeds } from '../../app/status/feeds/feeds.route.ts'
import { loader as now } from '../../app/status/now.route.tsx'
import { paths } from '../../server/contract/portal/paths.ts'
import type { PortalHandler } from '../../server/portal/portal-handler.ts'
import type { Services } from '../../server/services.ts'

/** The texts are as they are served; of the page itself, the data it is made of. */
export const statusPortal: PortalHandler = async (request, context) => {
  const args = { request, context, params: {} }
  switch (new URL(request.url).pathname) {
    case paths.status: {
      const { data, init } = await now(args)
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

export const statusTexts = [
  paths.status,
  paths.statusMarkdown,
  paths.statusRss,
  paths.statusJson,
  paths.statusBadge,
] as const

/** Pages that the checks ask for: sign-in reads its session as every page of it does. */
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
