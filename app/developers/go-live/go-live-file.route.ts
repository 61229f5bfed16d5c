import { attachment } from '../../lib/attachment.ts'
import { getOrganization, page } from '../../services.server.ts'
import { goLiveMarkdown } from './go-live-report.ts'

/** The go-live report as Markdown. */
export const loader = page(async (args) => {
  const { organization, mine } = await getOrganization(args)
  const { goLive, env } = args.context.services
  const report = await goLive.report(mine)
  const text = goLiveMarkdown(report, { name: organization.name, origin: env.PUBLIC_ORIGIN })
  return attachment(text, { name: `go-live-${organization.slug}.md`, type: 'text/markdown; charset=utf-8' })
})
