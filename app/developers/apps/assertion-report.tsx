import type { AssertionReport } from '../../../server/domain/clients/client-types.ts'
import { Ban, CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Tag } from '../../components/ui/page-parts.tsx'

const outcomes = {
  passed: { tone: 'ok', icon: CircleCheck, word: 'Passes' },
  failed: { tone: 'bad', icon: TriangleAlert, word: 'Fails' },
  not_reached: { tone: 'quiet', icon: Ban, word: 'Not checked' },
} as const

/** Every check of an assertion, with its outcome, the value and the fix. */
export function AssertionFindings({ report, label }: { report: AssertionReport; label: string }) {
  return (
    <DataTable label={label} heads={['Check', 'Outcome', 'Value', 'Fix']}>
      {report.findings.map(({ check, title, outcome, found, fix }) => {
        const { tone, icon, word } = outcomes[outcome]
        return (
          <Row key={check}>
            <Cell>{title}</Cell>
            <Cell label="Outcome">
              <Tag tone={tone} icon={icon} bare>
                {word}
              </Tag>
            </Cell>
            <Cell label="Value">{found ? <span className="breaks">{found}</span> : '–'}</Cell>
            <Cell label="Fix">{fix ?? '–'}</Cell>
          </Row>
        )
      })}
    </DataTable>
  )
}

/** The title of the first failed check. */
export function firstFault(report: AssertionReport): string {
  return report.findings.find(({ outcome }) => outcome === 'failed')?.title ?? 'No check failed'
}
