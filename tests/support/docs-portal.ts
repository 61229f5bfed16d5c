/** The documentation's own loaders behind the whole server, without the built pages. */
import { loader as docsSource } from '../../app/docs/mcp-source.route.ts'
import { loader as texts } from '../../app/docs/texts.route.ts'
import { docsSourcePath } from '../../server/contract/mcp/docs-tools.ts'
import type { PortalHandler } from '../../server/portal/portal-handler.ts'

export const docsPortal: PortalHandler = async (request, context) => {
  const args = { request, context, params: {} }
  const { pathname } = new URL(request.url)
  if (pathname === docsSourcePath) return docsSource(args)
  if (pathname === '/llms-full.txt') return texts(args)
  return new Response('<h1>A page</h1>', { headers: { 'content-type': 'text/html' } })
}
