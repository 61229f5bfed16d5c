import { Form } from '@remix-run/react'
import type { ComponentState } from '../../../server/contract/status/components.ts'
import { Button } from '../../components/ui/button.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { TextWarning } from '../../components/ui/text-warning.tsx'
import { StateTag, stateWords } from '../../shared/status/state-tag.tsx'

interface ComponentRow {
  id: string
  name: string
  status: ComponentState
  summary: string
  automaticStatus?: ComponentState
  override: { id: string; reason: string; setBy: string; setAt: Date; until: Date } | null
}

const found = (state: ComponentState) => `Automatic check: ${stateWords(state).toLowerCase()}`

/** Every component as everybody sees it, with what was set by hand. */
export function ComponentTable({ rows, mayEnd }: { rows: readonly ComponentRow[]; mayEnd: boolean }) {
  const heads = [
    'Component',
    'State',
    'Set manually',
    <span className="sr" key="act">
      Actions
    </span>,
  ]
  return (
    <DataTable label="Components" heads={heads}>
      {rows.map(({ id, name, status, summary, automaticStatus, override }) => (
        <Row key={id}>
          <Cell>{name}</Cell>
          <Cell label="State">
            <StateTag state={status} />
            <span className="sub">{summary}</span>
          </Cell>
          <Cell label="Set manually">
            {override === null ? (
              automaticStatus ? (
                `By an incident. ${found(automaticStatus)}`
              ) : (
                'No'
              )
            ) : (
              <>
                {override.reason}
                <span className="sub">
                  {override.setBy}, until <Moment at={override.until} />
                </span>
                {automaticStatus && <span className="sub">{found(automaticStatus)}</span>}
              </>
            )}
          </Cell>
          <Cell className="act">
            {override !== null && mayEnd && (
              <Form method="post" action={`?end=${encodeURIComponent(id)}`} className="stack tight">
                <input
                  className="input"
                  name="reason"
                  placeholder="Reason"
                  aria-label={`Reason for ending the manual state of ${name}`}
                  minLength={10}
                  maxLength={500}
                  required
                />
                <TextWarning field="reason" about={id} />
                <Button type="submit" size="sm">
                  End<span className="sr"> the manual state of {name}</span>
                </Button>
              </Form>
            )}
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}
