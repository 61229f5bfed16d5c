import { Form } from '@remix-run/react'
import { Ban, CircleCheck, CircleHelp, TriangleAlert, Wrench } from 'lucide-react'
import type { ComponentState } from '../../../server/contract/components.ts'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { Cell, Row, Table } from '../ui/table.tsx'
import { Tag } from '../ui/tag.tsx'

interface ComponentRow {
  id: string
  name: string
  status: ComponentState
  summary: string
  automaticStatus?: ComponentState
  override: { reason: string; setBy: string; setAt: Date; until: Date } | null
}

/** Every component as everybody sees it, with what was set by hand. */
export function ComponentTable({ rows, mayEnd }: { rows: readonly ComponentRow[]; mayEnd: boolean }) {
  const heads = [
    'Component',
    'State',
    'Set by hand',
    <span className="sr" key="act">
      Actions
    </span>,
  ]
  return (
    <Table label="Components" heads={heads}>
      {rows.map(({ id, name, status, summary, automaticStatus, override }) => (
        <Row key={id}>
          <Cell>{name}</Cell>
          <Cell label="State">
            <StateTag state={status} />
            <span className="sub">{summary}</span>
          </Cell>
          <Cell label="Set by hand">
            {override === null ? (
              'No'
            ) : (
              <>
                {override.reason}
                <span className="sub">
                  {override.setBy}, until <Moment at={override.until} />
                </span>
                {automaticStatus && (
                  <span className="sub">The checks find: {automaticStatus.replaceAll('_', ' ')}</span>
                )}
              </>
            )}
          </Cell>
          <Cell className="act">
            {override !== null && mayEnd && (
              <Form method="post" action={`?end=${encodeURIComponent(id)}`}>
                <Button type="submit" size="sm">
                  End<span className="sr"> what is set for {name}</span>
                </Button>
              </Form>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

const looks = {
  operational: { tone: 'ok', icon: CircleCheck },
  degraded: { tone: 'turn', icon: TriangleAlert },
  partial_outage: { tone: 'turn', icon: TriangleAlert },
  under_maintenance: { tone: 'teal', icon: Wrench },
  down: { tone: 'bad', icon: TriangleAlert },
  major_outage: { tone: 'bad', icon: TriangleAlert },
  disabled: { tone: 'quiet', icon: Ban },
  not_available: { tone: 'quiet', icon: CircleHelp },
} as const

function StateTag({ state }: { state: ComponentState }) {
  const { tone, icon } = looks[state]
  return (
    <Tag tone={tone} icon={icon}>
      {state.replaceAll('_', ' ')}
    </Tag>
  )
}
