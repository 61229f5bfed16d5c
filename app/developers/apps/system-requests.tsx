import type { SubmissionResult } from '@conform-to/react'
import { Form } from '@remix-run/react'
import { systemRequestForm } from '../../../server/contract/forms/apps.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { Field, TextArea } from '../../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../../components/ui/form.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag, type Tone } from '../../components/ui/tag.tsx'

interface SystemRequestsProps {
  systems: readonly {
    id: string
    practiceName: string
    state: 'requested' | 'granted' | 'declined' | 'revoked'
    requestedAt: Date | string
    decidedAt: Date | string | null
    reason: string | null
  }[]
  lastResult: SubmissionResult<string[]> | null | undefined
}

const words: Readonly<Record<SystemRequestsProps['systems'][number]['state'], { tone: Tone; word: string }>> =
  {
    requested: { tone: 'turn', word: 'Waits for the practice' },
    granted: { tone: 'ok', word: 'Granted' },
    declined: { tone: 'quiet', word: 'Declined' },
    revoked: { tone: 'quiet', word: 'Revoked' },
  }

/** The practices a backend system asked for their data, and the form to ask one. */
export function SystemRequests({ systems, lastResult }: SystemRequestsProps) {
  const [form, fields] = useContractForm({
    schema: systemRequestForm,
    lastResult,
    defaultValue: { scope: 'system/*.rs' },
    id: 'request',
  })
  return (
    <Card
      id="practices"
      title="Practices"
      aside={<span className="small muted">A practice grants its data; without that no token is given</span>}
    >
      {systems.length > 0 && (
        <DataTable label="Practices asked" heads={['Practice', 'State', 'Asked', 'Answered', 'Reason']}>
          {systems.map((system) => (
            <Row key={system.id}>
              <Cell>{system.practiceName}</Cell>
              <Cell label="State">
                <Tag tone={words[system.state].tone}>{words[system.state].word}</Tag>
              </Cell>
              <Cell label="Asked">
                <Moment at={system.requestedAt} />
              </Cell>
              <Cell label="Answered">{system.decidedAt ? <Moment at={system.decidedAt} /> : 'Not yet'}</Cell>
              <Cell label="Reason">{system.reason ?? '–'}</Cell>
            </Row>
          ))}
        </DataTable>
      )}
      <Form method="post" {...formProps(form)} className="pad stack read">
        <ErrorSummary
          form={form}
          fields={fields}
          labels={{ practice: 'Practice', scope: 'Scopes', purpose: 'What is it for?' }}
        />
        <Field
          meta={fields.practice}
          label="Practice"
          hint="Its short name, as in its FHIR base."
          spellCheck={false}
          mono
        />
        <Field
          meta={fields.scope}
          label="Scopes"
          hint="system/ scopes, separated by spaces."
          spellCheck={false}
          mono
        />
        <TextArea
          meta={fields.purpose}
          label="What is it for?"
          hint="The practice reads this when it decides."
          rows={3}
        />
        <div>
          <SubmitButton name="intent" value="request" look="outline" busy="Asking">
            Ask the practice
          </SubmitButton>
        </div>
      </Form>
    </Card>
  )
}
