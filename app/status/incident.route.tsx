import { type MetaFunction, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { Card, Moment, PageHeader } from '../components/ui/page-parts.tsx'
import { markdownToHtml } from '../lib/markdown.server.ts'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import {
  IncidentTimes,
  IncidentUpdates,
  kindWords,
  namesOf,
  StageTag,
} from '../shared/status/status-incident.tsx'

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: `${found?.incident.title ?? 'Incident'} · Sandpiper` },
]
export const handle = { still: true }

export const loader = page(async ({ params, context }) => {
  const { status } = context.services
  const { open, past } = await status.page()
  const id = params.incident ?? ''
  const incident = [...open, ...past].find((each) => each.id === id) ?? (await status.findIncident(id))
  if (!incident) throw data(null, { status: 404 })
  // Lowers headings below the page's heading.
  const text = incident.postMortem?.replace(/^(#{1,5}) /gm, '#$1 ')
  return { incident, postMortem: text === undefined ? null : markdownToHtml(text) }
})

export default function Incident() {
  const { incident, postMortem } = useLoaderData<typeof loader>()
  return (
    <PublicFrame plain>
      <div className="wrap st">
        <PageHeader title={incident.title} action={<StageTag stage={incident.stage} />}>
          {kindWords[incident.kind]}. <IncidentTimes incident={incident} />. Affected: {namesOf(incident)}.{' '}
          <a href={paths.status}>Current status</a>
        </PageHeader>
        {postMortem !== null && (
          <Card padded id="post-mortem" title="Post-mortem">
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: its HTML is escaped by markdown.server.ts */}
            <div className="prose" dangerouslySetInnerHTML={{ __html: postMortem }} />
            {incident.postMortemAt && (
              <p className="small muted">
                Written <Moment at={incident.postMortemAt} />
              </p>
            )}
          </Card>
        )}
        <Card id="updates" title="Updates">
          <div className="pad">
            <IncidentUpdates incident={incident} />
          </div>
        </Card>
      </div>
    </PublicFrame>
  )
}
