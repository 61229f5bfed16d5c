import {
  baaClauseNames,
  baaClauses,
  type ClausePlaces,
  templateClauses,
} from '../../../server/contract/workflows/agreements.ts'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'

/** Each clause of a BAA: where our template has it, and where an uploaded document does. */
export function ClauseTable({ places }: { places: ClausePlaces }) {
  return (
    <DataTable label="Clauses" heads={['Clause', 'Our template', 'This document']}>
      {baaClauseNames.map((clause) => (
        <Row key={clause}>
          <Cell>{baaClauses[clause]}</Cell>
          <Cell label="Our template">{templateClauses[clause]}</Cell>
          <Cell label="This document" className="breaks">
            {places[clause] ?? 'Selected, without a place'}
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}
