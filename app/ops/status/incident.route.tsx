import { Form, Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  affectedField,
  affectedOf,
  editUpdateForm,
  incidentTextMax,
  postMortemForm,
  stagesOf,
  stageWords,
  updateIncidentForm,
} from '../../../server/contract/status/incidents.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import { ContractForm, Field, Select, TextArea } from '../../components/ui/form.tsx'
import { Button, Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import type { Done } from '../../lib/flash.ts'
import { FormPlace } from '../../lib/form-answer.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, page, requireStepUp } from '../../services.server.ts'
import { LockedCard } from '../../shared/sign-in/confirm-first.tsx'
import { IncidentTimes, kindWords, namesOf, StageTag } from '../../shared/status/status-incident.tsx'
import { AffectedFields, StaffReason, staffReasonLabel } from './affected-fields.tsx'

export const meta = () => [{ title: 'Incident · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  return {
    stepUp: findStepUp(args, session),
    incident: await args.context.services.status.getIncident(args.params.incident ?? '', session),
  }
})

/** `?act=` says which of the page's forms was sent. */
export const action = page(async (args) => {
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
  const { stepUp, incident } = useLoaderData<typeof loader>()
  const { revisions, authors, version } = incident
  return (
    <>
      <PageHeader title={incident.title} action={<StageTag stage={incident.stage} />}>
        {kindWords[incident.kind]} opened by {incident.openedBy}. <IncidentTimes incident={incident} />.
        Affected: {namesOf(incident)}. <a href={paths.statusIncident(incident.id)}>Public page</a> ·{' '}
        <Link to={paths.staffIncidents}>All incidents</Link>
      </PageHeader>
      {stepUp !== null && <LockedCard title="Post an update" to={stepUp} />}
      {stepUp === null && incident.endedAt === null && <UpdateForm key={version} incident={incident} />}
      {stepUp === null && incident.endedAt !== null && <PostMortemForm key={version} incident={incident} />}
      <EditForms incident={incident} authors={authors} mayEdit={stepUp === null} />
      {revisions.length > 0 && (
        <Card id="earlier" title="Earlier versions">
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
    </>
  )
}

interface FormProps {
  incident: PublicIncident & { version: number }
}

function UpdateForm({ incident }: FormProps) {
  const labels = {
    stage: 'Stage',
    text: 'Public text',
    [affectedField('academy')]: 'Components',
    reason: staffReasonLabel,
  }

  const affected = Object.fromEntries(incident.components.map(({ id, state }) => [id, state]))
  return (
    <ContractForm
      title="Post an update"
      labels={labels}
      defaultValue={{ stage: incident.stage }}
      id="update"
      keepAs={`update of incident ${incident.id}`}
      hidden={{ version: incident.version }}
      button="Post update"
      busy="Posting"
    >
      <Select
        name="stage"
        options={stagesOf[incident.kind].map((stage) => ({ value: stage, label: stageWords[stage] }))}
        hint={`“${stageWords[stagesOf[incident.kind].at(-1) ?? incident.stage]}” ends it. Components then show the automatic checks again.`}
      />
      <TextArea name="text" rows={3} hint={`One paragraph of at most ${incidentTextMax} characters.`} />
      <AffectedFields affected={affected} />
      <StaffReason />
    </ContractForm>
  )
}

function PostMortemForm({ incident }: FormProps) {
  const labels = { text: 'Post-mortem', reason: 'Reason' }
  return (
    <ContractForm
      title="Post-mortem"
      labels={labels}
      defaultValue={{ text: incident.postMortem ?? '' }}
      id="post-mortem"
      keepAs={`post-mortem of incident ${incident.id}`}
      hidden={{ version: incident.version }}
      button="Publish post-mortem"
      busy="Publishing"
      action="?act=post-mortem"
    >
      <TextArea name="text" rows={10} hint="Markdown. HTML is shown as text." />
      <StaffReason />
    </ContractForm>
  )
}

interface EditFormsProps {
  incident: FormProps['incident']
  /** The name of each update's author, by the update's id. */
  authors: Readonly<Record<string, string>>
  mayEdit: boolean
}

/** The updates already published, each with a form to correct its wording. */
function EditForms({ incident, authors, mayEdit }: EditFormsProps) {
  return (
    <Card id="told" title="Posted updates">
      <ol className="pad list">
        {incident.updates.map(({ id, stage, text, at, editedAt }) => (
          <li key={id} className="stack tight">
            <p>
              <b>{stageWords[stage]}.</b> {text}
            </p>
            <p className="small muted">
              {authors[id]}, <Moment at={at} as="seconds" />
              {editedAt && (
                <>
                  {' '}
                  · edited <Moment at={editedAt} as="seconds" />
                </>
              )}
            </p>
            {mayEdit && (
              <details>
                <summary>
                  Edit<span className="sr"> “{text}”</span>
                </summary>
                <Form method="post" action="?act=edit" className="stack tight">
                  <input type="hidden" name="version" value={incident.version} />
                  <input type="hidden" name="update" value={id} />
                  <FormPlace.Provider value={{ about: id }}>
                    <TextArea
                      name="text"
                      label="New text"
                      value={text}
                      maxLength={incidentTextMax}
                      required
                    />
                    <Field name="reason" label="Reason" minLength={10} maxLength={500} required />
                  </FormPlace.Provider>
                  <Button type="submit">Save change</Button>
                </Form>
              </details>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
