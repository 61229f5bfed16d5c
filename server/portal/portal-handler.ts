/** The portal as one function of a request: the built Remix bundle, or Vite's module graph in development. */
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/server-runtime'

export type PortalHandler = (request: Request, context: AppLoadContext) => Promise<Response>

/** @param getBuild asked for every request, so that development serves what was last saved */
export function createPortalHandler(
  getBuild: () => Promise<ServerBuild>,
  mode: 'production' | 'development' | 'test',
): PortalHandler {
  let last: { build: ServerBuild; handle: ReturnType<typeof createRequestHandler> } | undefined
  return async (request, context) => {
    const build = await getBuild()
    if (last?.build !== build) last = { build, handle: createRequestHandler(build, mode) }
    return last.handle(request, context)
  }
}
