import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { goLiveMarkdown } from './go-live-report.ts'

/** The go-live report as Markdown. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, mine } = await getOrganization(args)
  const { goLive, env } = args.context.services
  const report = await goLive.report(mine)
  const text = goLiveMarkdown(report, { name: organization.name, origin: env.PUBLIC_ORIGIN })
  return new Response(text, {
    headers: {
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': `attachment; filename="go-live-${organization.slug}.md"`,
      'cache-control': 'no-store',
    },
  })
})
