import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { Field, Select } from '../../components/ui/field.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import type { AuditQuery } from './audit-query.ts'

interface AccessTableProps {
  rows: readonly {
    correlationId: string
    at: Date | string
    who: string
    principalId: string
    action: string
    resourceType: string | null
    count: number
    patientId: string | null
    purpose: string
    outcome: string
  }[]
}

/** Who read whose record. */
export function AccessTable({ rows }: AccessTableProps) {
  return (
    <DataTable label="Access to records" heads={['When', 'Who', 'What', 'Patient', 'For', 'Outcome']}>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of one correlation id are alike, and never move
        <Row key={`${row.correlationId} ${place}`}>
          <Cell>
            <Moment at={row.at} as="seconds" />
          </Cell>
          <Cell label="Who">
            {row.who}
            <span className="sub">
              <code className="breaks">{row.principalId}</code>
            </span>
          </Cell>
          <Cell label="What">
            {row.action}
            {row.resourceType && ` ${row.resourceType}`}
            <span className="sub">{row.count.toLocaleString('en-US')} records</span>
          </Cell>
          <Cell label="Patient">{row.patientId ? <code>{row.patientId}</code> : 'None named'}</Cell>
          <Cell label="For">{row.purpose.replaceAll('_', ' ')}</Cell>
          <Cell label="Outcome">{row.outcome}</Cell>
        </Row>
      ))}
    </DataTable>
  )
}

/** What people and time changed. */
export function ChangesTable({
  rows,
}: {
  rows: readonly { id: string; at: Date | string; who: string; action: string }[]
}) {
  return (
    <DataTable label="Changes" heads={['When', 'Who', 'What']}>
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell>
            <Moment at={row.at} as="seconds" />
          </Cell>
          <Cell label="Who">{row.who}</Cell>
          <Cell label="What">
            <code className="breaks">{row.action}</code>
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}

/** @param props.children hidden fields that the page's address needs */
export function AccessFilters({ query, children }: { query: AuditQuery; children?: ReactNode }) {
  return (
    <Form method="get" className="card pad stack" role="search" aria-label="Filters">
      {children}
      <div className="grid g2">
        <Field name="from" label="From, yyyy-mm-dd" value={query.from ?? ''} />
        <Field name="to" label="To, yyyy-mm-dd" value={query.to ?? ''} />
        <Field name="patient" label="Patient id" value={query.patient ?? ''} mono />
        <Field name="type" label="Type of record" value={query.type ?? ''} />
        <Field name="action" label="Action" value={query.action ?? ''} />
        <Field name="who" label="Key, app or person, as in the list" value={query.who ?? ''} mono />
      </div>
      <Select
        name="outcome"
        label="Outcome"
        value={query.outcome ?? ''}
        options={[
          { value: '', label: 'Every outcome' },
          { value: 'served', label: 'Served' },
          { value: 'refused', label: 'Refused' },
          { value: 'failed', label: 'Failed' },
        ]}
      />
      <div>
        <Button type="submit">Filter</Button>
      </div>
    </Form>
  )
}
