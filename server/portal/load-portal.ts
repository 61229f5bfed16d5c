/** Loads the portal from the bundle of `npm run build`, or from Vite in development. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/server-runtime'
import type { Env } from '../env.ts'
import { rootDir } from '../root-dir.ts'
import { createPortalHandler, type PortalHandler } from './portal-handler.ts'

export type Portal = {
  handler: PortalHandler
  /** Handles Vite's own requests, in development only. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
  /** Gets the server before it listens, so that hot reload can use the same port. */
  attach?: (server: Server) => Promise<void>
  close?: () => Promise<void>
}

export const clientFolder = join(rootDir, 'build/portal/client')

export const loadPortal = async (env: Env): Promise<Portal> =>
  env.NODE_ENV === 'development' ? loadFromVite() : loadBundle()

async function loadBundle(): Promise<Portal> {
  const file = join(rootDir, 'build/portal/server/index.js')
  const build = (await import(pathToFileURL(file).href)) as ServerBuild
  return { handler: createPortalHandler(async () => build, 'production') }
}

async function loadFromVite(): Promise<Portal> {
  const { createServer } = await import('vite')
  let vite: Awaited<ReturnType<typeof createServer>> | undefined
  const started = () => {
    if (!vite) throw new Error('Vite is not started yet')
    return vite
  }
  return {
    handler: createPortalHandler(
      async () => (await started().ssrLoadModule('virtual:remix/server-build')) as ServerBuild,
      'development',
    ),
    middleware: (request, response, next) => started().middlewares(request, response, next),
    attach: async (server) => {
      vite = await createServer({
        root: rootDir,
        server: { middlewareMode: true, hmr: { server } },
        appType: 'custom',
      })
    },
    close: async () => vite?.close(),
  }
}
