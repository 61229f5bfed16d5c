import type { SystemAuthorization } from '../../../server/domain/system-authorizations/system-authorizations.ts'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, Moment, Tag, type Tone } from '../../components/ui/page-parts.tsx'

interface SystemRequestsProps {
  systems: readonly SystemAuthorization[]
}

const stateTags: Readonly<Record<SystemAuthorization['state'], { tone: Tone; word: string }>> = {
  requested: { tone: 'turn', word: 'Sent to the practice' },
  granted: { tone: 'ok', word: 'Granted' },
  declined: { tone: 'quiet', word: 'Declined' },
  revoked: { tone: 'quiet', word: 'Revoked' },
}

/** A backend system's requests for access to practices, and the form for another one. */
export function SystemRequests({ systems }: SystemRequestsProps) {
  return (
    <Card
      id="practices"
      title="Practices"
      aside={<span className="small muted">A system gets tokens only for practices that allow it</span>}
    >
      {systems.length > 0 && (
        <DataTable
          label="Requests to practices"
          heads={['Practice', 'State', 'Requested', 'Answered', 'Reason']}
        >
          {systems.map((system) => (
            <Row key={system.id}>
              <Cell>{system.practice.name}</Cell>
              <Cell label="State">
                <Tag tone={stateTags[system.state].tone}>{stateTags[system.state].word}</Tag>
              </Cell>
              <Cell label="Requested">
                <Moment at={system.requestedAt} />
              </Cell>
              <Cell label="Answered">{system.decidedAt ? <Moment at={system.decidedAt} /> : 'Not yet'}</Cell>
              <Cell label="Reason">{system.reason ?? '–'}</Cell>
            </Row>
          ))}
        </DataTable>
      )}
      <ContractForm
        labels={{ practice: 'Practice', scope: 'Scopes', purpose: 'Purpose' }}
        defaultValue={{ scope: 'system/*.rs' }}
        id="request"
        button="Send request"
        busy="Sending"
        look="outline"
        intent="request"
        className="pad stack read"
      >
        <Field name="practice" hint="The short name in its FHIR base URL." spellCheck={false} mono />
        <Field name="scope" hint="system/ scopes, separated by spaces." spellCheck={false} mono />
        <TextArea name="purpose" hint="The practice reads this when it decides." rows={3} />
      </ContractForm>
    </Card>
  )
}
