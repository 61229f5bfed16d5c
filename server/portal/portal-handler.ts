/** The portal as a function of a request, from the Remix bundle or, in development, from Vite. */
import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from '@remix-run/server-runtime'

export type PortalHandler = (request: Request, context: AppLoadContext) => Promise<Response>

/** @param getBuild called for every request, so that development serves the latest code */
export function createPortalHandler(
  getBuild: () => Promise<ServerBuild>,
  mode: 'production' | 'development' | 'test',
): PortalHandler {
  let last: { build: ServerBuild; partFor: (path: string) => ServerBuild } | undefined
  const handlers = new WeakMap<ServerBuild, RequestHandler>()
  return async (request, context) => {
    const build = await getBuild()
    if (last?.build !== build) last = { build, partFor: groupBySegment(build) }
    const part = last.partFor(new URL(request.url).pathname)
    const handle = handlers.get(part) ?? createRequestHandler(part, mode)
    handlers.set(part, handle)
    return handle(request, context)
  }
}

type Routes = ServerBuild['routes']

/**
 * Remix flattens, ranks and tries all routes three times for each request, a seventh of the cost of a page. Only routes whose
 * first segment equals that of the URL or is a parameter can match, so a build with only those gives the same response.
 * @returns a function from a URL's path to the build for its first segment
 */
export function groupBySegment(build: ServerBuild): (path: string) => ServerBuild {
  const { routes } = build
  const leaves = Object.values(routes).filter(({ path, index }) => path !== undefined || index)
  const segments = new Set(leaves.map(({ id }) => firstSegment(routes, id)))
  const groups = new Map(
    [...segments].map((segment) => [
      segment,
      narrow(
        build,
        leaves.filter(({ id }) => [segment, '', anySegment].includes(firstSegment(routes, id))),
      ),
    ]),
  )
  const others = groups.get('') ?? build
  return (path) => groups.get(segmentOf(path)) ?? others
}

const anySegment = ':'

/** The first segment of a route's path in lower case, because routes ignore case; empty for `/`. */
function firstSegment(routes: Routes, id: string): string {
  const parts: string[] = []
  for (let at: string | undefined = id; at !== undefined; at = routes[at]?.parentId)
    parts.unshift(...(routes[at]?.path ?? '').split('/').filter(Boolean))
  const [first = ''] = parts
  return /[:*?]/.test(first) ? anySegment : first.toLowerCase()
}

/** The first segment of a URL's path. Remix requests data under the path with `.data`. */
function segmentOf(path: string): string {
  const [, first = ''] = path.replace(/\.data$/, '').split('/')
  try {
    return decodeURIComponent(first).toLowerCase()
  } catch {
    return first.toLowerCase()
  }
}

/** The build with only these leaves and their parents, in the original order. */
function narrow(build: ServerBuild, leaves: readonly { id: string }[]): ServerBuild {
  const names = new Set<string>()
  for (const { id } of leaves)
    for (let at: string | undefined = id; at !== undefined; at = build.routes[at]?.parentId) names.add(at)
  const keep = <R>(all: Readonly<Record<string, R>>) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => names.has(id)))
  return {
    ...build,
    routes: keep(build.routes),
    assets: { ...build.assets, routes: keep(build.assets.routes) },
  }
}
