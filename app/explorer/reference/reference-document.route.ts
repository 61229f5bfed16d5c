/** The OpenAPI document as the reference reads it: its servers are ours, one per practice and level, and need no key. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { createOpenApi } from '../../../server/contract/rest/openapi.ts'
import { page } from '../../services.server.ts'
import { practiceChoices } from '../calls/caller.server.ts'

const levelNames = { read_only: 'read-only', full: 'may write' } as const

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { env } = args.context.services
  const {
    security: _,
    components,
    ...document
  } = createOpenApi({
    restOrigin: env.REST_ORIGIN,
    environment: 'sandbox',
  })
  const { securitySchemes: __, ...parts } = components as Record<string, unknown>
  const { practices } = await practiceChoices(args)
  const servers = practices.flatMap(({ slug, name, levels }) =>
    levels.map((level) => ({
      url: `${env.PUBLIC_ORIGIN}/explorer/sandbox/${slug}/${level}`,
      description: `${name}, ${levelNames[level]}`,
    })),
  )
  return Response.json(
    { ...document, servers, components: parts },
    { headers: { 'Cache-Control': 'private, no-store' } },
  )
})
