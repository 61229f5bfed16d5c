import { Form, Link, useLocation } from '@remix-run/react'
import type { Services } from '../../../server/services.ts'
import { Field, Select } from '../../components/ui/form.tsx'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Button, Card, LinkButton, Moment, Tag, type Tone } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import type { AuditQuery, readRecord } from './audit-query.ts'
import { changeWords } from './change-words.ts'

type RowsOf<Kind extends 'access' | 'changes'> = Awaited<ReturnType<Services['practiceAudit'][Kind]>>['rows']

const outcomes = {
  served: { tone: 'ok', word: 'Served' },
  refused: { tone: 'quiet', word: 'Refused' },
  failed: { tone: 'bad', word: 'Failed' },
} as const satisfies Record<string, { tone: Tone; word: string }>

/** Builds links to the list, narrowed to one value. */
function useNarrowed(): (name: keyof AuditQuery, value: string) => string {
  const { search } = useLocation()
  return (name, value) => {
    const query = new URLSearchParams(search)
    query.delete('before')
    query.set(name, value)
    return `?${query}`
  }
}

/** Who read whose record. Names and patients link to their own rows. */
function AccessTable({ rows }: { rows: RowsOf<'access'> }) {
  const narrowed = useNarrowed()
  return (
    <DataTable label="Access to records" heads={['When', 'Who', 'What', 'Patient', 'Purpose', 'Outcome']}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of one correlation id are alike, and never move
        <Row key={`${row.correlationId} ${index}`}>
          <Cell>
            <Moment at={row.at} as="seconds" />
          </Cell>
          <Cell label="Who">
            <Link to={narrowed('who', row.clientId ?? row.principalId)}>{row.who}</Link>
            {row.organizationName && <span className="sub">{row.organizationName}</span>}
            {row.prefix && (
              <span className="sub">
                <code>{row.prefix}…</code>
              </span>
            )}
            {row.person && (
              <span className="sub">
                Used by <Link to={narrowed('who', row.principalId)}>{row.person}</Link>
              </span>
            )}
          </Cell>
          <Cell label="What">
            {row.action}
            {row.resourceType && ` ${row.resourceType}`}
            <span className="sub">{counted(row.count, 'record')}</span>
          </Cell>
          <Cell label="Patient">
            {row.patientId ? (
              <>
                <Link to={narrowed('patient', row.patientId)}>{row.patientName ?? 'Chart deleted'}</Link>
                <span className="sub">
                  <code className="breaks">{row.patientId}</code>
                </span>
              </>
            ) : row.patients ? (
              counted(row.patients, 'patient')
            ) : row.resourceType === 'Patient' && row.count > 0 ? (
              'Several patients'
            ) : (
              'No patient'
            )}
          </Cell>
          <Cell label="Purpose">{row.purpose.replaceAll('_', ' ')}</Cell>
          <Cell label="Outcome">
            <Tag bare tone={outcomes[row.outcome].tone}>
              {outcomes[row.outcome].word}
            </Tag>
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}

/** Changes by people and by deadlines. */
function ChangesTable({ rows }: { rows: RowsOf<'changes'> }) {
  return (
    <DataTable label="Changes" heads={['When', 'Who', 'What']}>
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell>
            <Moment at={row.at} as="seconds" />
          </Cell>
          <Cell label="Who">{row.who}</Cell>
          <Cell label="What">
            {changeWords(row.action)}
            <span className="sub">
              <code className="breaks">{row.action}</code>
            </span>
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}

type AuditRecord = Awaited<ReturnType<typeof readRecord>>

/** The rows of either view, with a link to older ones. @param base the page's query besides the filters */
export function RecordCard({ record, base }: { record: AuditRecord; base: { practice: string } }) {
  const { query, view, access, changes, next } = record
  const older = { ...base, ...query, ...(view === 'changes' && { view }), before: next ?? '' }
  return (
    <Card label="Record">
      {view === 'access' ? <AccessTable rows={access} /> : <ChangesTable rows={changes} />}
      {next && (
        <footer className="pad">
          <Link to={`?${new URLSearchParams(older)}`}>Older</Link>
        </footer>
      )}
    </Card>
  )
}

const rareFilters = ['who', 'type', 'action'] as const

/** Filters for dates, patient and outcome. The others are folded until one is used. */
export function AccessFilters({ query, practice }: { query: AuditQuery; practice: string }) {
  const { before: _, ...filters } = query
  const key = new URLSearchParams(filters).toString()
  return (
    <Form key={key} method="get" className="card pad stack" role="search" aria-label="Filters">
      <input type="hidden" name="practice" value={practice} />
      <div className="filter audit">
        <Field name="from" type="date" label="From" value={query.from ?? ''} />
        <Field name="to" type="date" label="To" value={query.to ?? ''} />
        <Field name="patient" label="Patient ID" value={query.patient ?? ''} mono />
        <Select
          name="outcome"
          label="Outcome"
          value={query.outcome ?? ''}
          options={[
            { value: '', label: 'Every outcome' },
            ...Object.entries(outcomes).map(([value, { word }]) => ({ value, label: word })),
          ]}
        />
        <div className="row">
          <Button type="submit">Filter</Button>
          {key !== '' && (
            <LinkButton look="plain" to={`?${new URLSearchParams({ practice })}`}>
              Clear
            </LinkButton>
          )}
        </div>
      </div>
      <details open={rareFilters.some((name) => query[name] !== undefined)}>
        <summary>More filters</summary>
        <div className="grid g3 mt-3">
          <Field name="who" label="ID of a key, app or person" value={query.who ?? ''} mono />
          <Field name="type" label="Type of record" value={query.type ?? ''} />
          <Field name="action" label="Action" value={query.action ?? ''} />
        </div>
      </details>
    </Form>
  )
}
