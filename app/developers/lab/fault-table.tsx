import { faultCodes, faultRow, interfaceNames } from '../../../server/contract/lab/faults.ts'
import { Card } from '../../components/ui/card.tsx'
import { CodedText } from '../../components/ui/coded-text.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'

/** Every fault there is, and what is asked of a client. */
export function FaultTable() {
  return (
    <Card>
      <header>
        <h2>Available faults</h2>
      </header>
      <DataTable label="Faults" heads={['Code', 'Effect', 'Where', 'Expected behavior']}>
        {faultCodes.map((code) => {
          const { does, client, interfaces, value } = faultRow(code)
          return (
            <Row key={code}>
              <Cell>
                <code>{value ? `${code};${value.name}=${value.usual}` : code}</code>
              </Cell>
              <Cell label="Effect">
                <CodedText>{does}</CodedText>
              </Cell>
              <Cell label="Where">{interfaces.map((each) => interfaceNames[each]).join(', ')}</Cell>
              <Cell label="Expected behavior">
                <CodedText>{client}</CodedText>
              </Cell>
            </Row>
          )
        })}
      </DataTable>
    </Card>
  )
}
