/** The portal as one function of a request: the built Remix bundle, or Vite's module graph in development. */
import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from '@remix-run/server-runtime'
import { groupBySegment } from './routes-by-segment.ts'

export type PortalHandler = (request: Request, context: AppLoadContext) => Promise<Response>

/** @param getBuild asked for every request, so that development serves what was last saved */
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
