import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  affectedOf,
  editUpdateForm,
  postMortemForm,
  updateIncidentForm,
} from '../../../server/contract/status/incidents.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import type { Done } from '../../lib/flash.ts'
import { findStepUp, requireStepUp } from '../../lib/step-up.server.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { actorOf, getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { IncidentTimes, kindWords, namesOf, StageTag } from '../../shared/status/status-incident.tsx'
import { EditForms, PostMortemForm, UpdateForm } from './incident-forms.tsx'

export const meta: MetaFunction = () => [{ title: 'Incident · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  return {
    account: { name: session.account.name, email: session.account.email },
    stepUp: findStepUp(args, session),
    incident: await args.context.services.status.getIncident(args.params.incident ?? '', session),
  }
})

/** `?act=` says which of the page's forms was sent. */
export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  requireStepUp(args, session)
  const id = args.params.incident ?? ''
  const { status } = args.context.services
  const actor = actorOf(args, session)
  const done = (what: Done) => goOn(paths.staffIncident(id), what)
  const act = new URL(args.request.url).searchParams.get('act')
  if (act === 'edit') {
    return runForm(args.request, editUpdateForm, async (value) => {
      await status.editIncidentUpdate({ id, ...value }, actor)
      return done('incident_edited')
    })
  }
  if (act === 'post-mortem') {
    return runForm(args.request, postMortemForm, async (value) => {
      await status.writePostMortem({ id, ...value }, actor)
      return done('post_mortem_written')
    })
  }
  return runForm(args.request, updateIncidentForm, async (value) => {
    const components = affectedOf(value)
    await status.updateIncident({ id, ...value, components }, actor)
    return done('incident_updated')
  })
})

export default function Incident() {
  const { account, stepUp, incident } = useLoaderData<typeof loader>()
  const { revisions, authors, version } = incident
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title={incident.title} action={<StageTag stage={incident.stage} />}>
        {kindWords[incident.kind]} opened by {incident.openedBy}. <IncidentTimes incident={incident} />.
        Affected: {namesOf(incident)}. <a href={paths.statusIncident(incident.id)}>Public page</a> ·{' '}
        <Link to={paths.staffIncidents}>All incidents</Link> ·{' '}
        <Link to={paths.statusOverrides}>Component states</Link>
      </PageHeader>
      {stepUp !== null && (
        <Card padded id="locked" title="Post an update">
          <p className="muted">Confirm your password and authenticator code first.</p>
          <div>
            <LinkButton look="primary" to={stepUp}>
              Confirm your password
            </LinkButton>
          </div>
        </Card>
      )}
      {stepUp === null && incident.endedAt === null && <UpdateForm key={version} incident={incident} />}
      {stepUp === null && incident.endedAt !== null && <PostMortemForm key={version} incident={incident} />}
      <EditForms incident={incident} authors={authors} mayEdit={stepUp === null} />
      {revisions.length > 0 && (
        <Card id="earlier" title="Earlier texts">
          <ol className="pad list">
            {revisions.map(({ by, at, text }) => (
              <li key={`${new Date(at).getTime()} ${text}`}>
                <p>{text}</p>
                <p className="small muted">
                  Changed by {by}, <Moment at={at} as="seconds" />
                </p>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </ConsoleFrame>
  )
}
