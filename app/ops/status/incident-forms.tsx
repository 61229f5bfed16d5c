import { Form } from '@remix-run/react'
import {
  affectedField,
  incidentTextMax,
  postMortemForm,
  stagesOf,
  stageWords,
  updateIncidentForm,
} from '../../../server/contract/status/incidents.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Field, Select, TextArea } from '../../components/ui/field.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { FormPlace } from '../../lib/form-answer.ts'
import { AffectedFields } from './affected-fields.tsx'
import { StaffReason, staffReasonLabel } from './staff-reason.tsx'

interface FormOf {
  incident: PublicIncident & { version: number }
}

/** The next word on what is open. */
export function UpdateForm({ incident }: FormOf) {
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
      schema={updateIncidentForm}
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
        hint="The last stage closes the incident. Components then show the automatic checks again."
      />
      <TextArea name="text" rows={3} hint={`One paragraph of at most ${incidentTextMax} characters.`} />
      <AffectedFields affected={affected} />
      <StaffReason />
    </ContractForm>
  )
}

/** What happened and what is done about it, when it is over. */
export function PostMortemForm({ incident }: FormOf) {
  const labels = { text: 'Post-mortem', reason: 'Reason' }
  return (
    <ContractForm
      title="Post-mortem"
      schema={postMortemForm}
      labels={labels}
      defaultValue={{ text: incident.postMortem ?? '' }}
      id="post-mortem"
      keepAs={`post-mortem of incident ${incident.id}`}
      hidden={{ version: incident.version }}
      button="Publish post-mortem"
      busy="Publishing"
      action="?act=post-mortem"
    >
      <TextArea name="text" rows={10} hint="Markdown. HTML in it is shown as text." />
      <StaffReason />
    </ContractForm>
  )
}

interface EditFormsProps {
  incident: FormOf['incident']
  /** Who said it, by the id of the update. */
  authors: Readonly<Record<string, string>>
  mayEdit: boolean
}

/** What was told, each with a form for other words. */
export function EditForms({ incident, authors, mayEdit }: EditFormsProps) {
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
                  Edit<span className="sr"> the update of {new Date(at).toISOString()}</span>
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
                  <div>
                    <Button type="submit">Save change</Button>
                  </div>
                </Form>
              </details>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
