import type { FoundPatient } from '../../../server/domain/disclosures/find-patients.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Choices } from '../../components/ui/choice.tsx'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, Moment } from '../../components/ui/page-parts.tsx'

type Withheld = Awaited<ReturnType<Services['withheldPatients']['list']>>['rows'][number]

const aboutOf = ({ birthDate, mrn }: { birthDate: string | null; mrn: string | null }) =>
  [birthDate && `Born ${birthDate}`, mrn && `MRN ${mrn}`].filter(Boolean).join(' · ')

interface WithholdFormProps {
  found: readonly FoundPatient[]
  /** The search that found them. */
  name: string | undefined
  onceKey: string
}

export function WithholdForm({ found, name, onceKey }: WithholdFormProps) {
  const open = found.filter(({ withheld }) => !withheld)
  if (open.length === 0) return <p>{found[0]?.name} is withheld already. See the list below.</p>
  return (
    <ActionForm
      intent="withhold"
      version={0}
      onceKey={onceKey}
      title="Withhold a patient"
      text="Every key, app and backend system of the practice loses this patient at its next request, also apps that the patient allowed. Your practice still owes the patient their records: give them in another way if they ask (45 CFR 164.524)."
      look="danger"
      button="Withhold patient"
      busy="Withholding"
      reason="Reason"
      reasonHint="10 to 500 characters. Only your practice sees it."
    >
      <input type="hidden" name="name" value={name} />
      <Choices
        key={open.map(({ id }) => id).join(' ')}
        name="patient"
        legend="Patient"
        // With several patients, none is preselected.
        value={open.length === 1 ? (open[0]?.id ?? '') : ''}
        required
        options={open.map(({ id, name, ...about }) => ({ value: id, label: name, sub: aboutOf(about) }))}
      />
    </ActionForm>
  )
}

function ReleaseForm({ row, onceKey }: { row: Withheld; onceKey: string }) {
  return (
    <ActionForm
      className="inline"
      intent="release"
      version={0}
      onceKey={`${onceKey}-${row.id.slice(-6)}`}
      row={{ name: 'withheld', id: row.id }}
      size="sm"
      busy="Ending"
      button="Stop"
      about={`withholding ${row.name ?? row.patientId}`}
    />
  )
}

interface WithheldTableProps {
  rows: readonly Withheld[]
  mayRelease: boolean
  onceKey: string
}

export function WithheldTable({ rows, mayRelease, onceKey }: WithheldTableProps) {
  return (
    <Card title="Withheld">
      <DataTable label="Withheld patients" heads={['Patient', 'Reason', 'Since']} act="Actions">
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell>
              <span className="label">{row.name ?? 'No chart'}</span>
              <span className="sub">{row.name === null ? `Patient ID ${row.patientId}` : aboutOf(row)}</span>
            </Cell>
            <Cell label="Reason">
              <span className="breaks">{row.reason}</span>
            </Cell>
            <Cell label="Since">
              <Moment at={row.startedAt} />
              <span className="sub">{row.startedBy}</span>
            </Cell>
            <Cell>{mayRelease && <ReleaseForm row={row} onceKey={onceKey} />}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
