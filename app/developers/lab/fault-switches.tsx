import { Form } from '@remix-run/react'
import { type ReportAnswer, reportQuestions } from '../../../server/contract/lab/fault-report.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { FlaskConical } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag, type Tone } from '../../components/ui/tag.tsx'

interface ShownSwitch {
  id: string
  label: string
  steps: readonly string[]
  repeats: boolean
  taken: number
  startedAt: Date | string
  endsAt: Date | string
  on: boolean
  report: readonly ReportAnswer[]
}

/** What is on, what was, and how the client took it. */
export function FaultSwitches({ switches, mayStop }: { switches: readonly ShownSwitch[]; mayStop: boolean }) {
  if (switches.length === 0)
    return (
      <EmptyState icon={FlaskConical} title="No simulated errors yet">
        Enable a fault, run your client against the sandbox, and see here how it responded.
      </EmptyState>
    )
  return (
    <div className="stack">
      {switches.map((each) => (
        <Card key={each.id} label={`Faults for ${each.label}`}>
          <header className="row between">
            <h2>{each.label}</h2>
            <Tag tone={each.on ? 'turn' : 'quiet'}>{each.on ? 'Active' : 'Ended'}</Tag>
          </header>
          <div className="pad stack tight">
            <p>
              <code>{each.steps.join(', ')}</code>
              {each.repeats ? ', repeating' : ''}
            </p>
            <p className="hint">
              {each.taken === 1 ? '1 step' : `${each.taken} steps`} applied. Since{' '}
              <Moment at={each.startedAt} />, {each.on ? 'ends' : 'until'} <Moment at={each.endsAt} />.
            </p>
            <Report answers={each.report} label={each.label} />
          </div>
          {each.on && mayStop && (
            <footer>
              <Form method="post">
                <input type="hidden" name="stop" value={each.id} />
                <SubmitButton look="danger" size="sm" busy="Disabling">
                  Disable
                </SubmitButton>
              </Form>
            </footer>
          )}
        </Card>
      ))}
    </div>
  )
}

const words: Record<ReportAnswer['answer'], { tone: Tone; text: string }> = {
  yes: { tone: 'ok', text: 'Yes' },
  no: { tone: 'bad', text: 'No' },
  not_seen: { tone: 'quiet', text: 'No data' },
}

function Report({ answers, label }: { answers: readonly ReportAnswer[]; label: string }) {
  return (
    <DataTable label={`Behavior of ${label}'s client`} heads={['Behavior', 'Result', 'Details']}>
      {answers.map(({ question, answer, said }) => (
        <Row key={question}>
          <Cell>{reportQuestions[question]}</Cell>
          <Cell label="Result">
            <Tag bare tone={words[answer].tone}>
              {words[answer].text}
            </Tag>
          </Cell>
          <Cell label="Details">{said}</Cell>
        </Row>
      ))}
    </DataTable>
  )
}
