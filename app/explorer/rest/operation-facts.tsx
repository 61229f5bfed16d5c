import { Link } from '@remix-run/react'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { CodedText } from '../../components/ui/coded-text.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import type { OperationPage } from '../../shared/operations/operation.ts'
import { LevelOutcomes } from '../answers/answer-levels.tsx'

/** What the contract says of an operation, whether or not it is called. */
export function OperationFacts({ operation, answered }: { operation: OperationPage; answered: boolean }) {
  return (
    <>
      <Levels operation={operation} />
      {operation.bodyFields.length > 0 && <BodyFields operation={operation} />}
      {!answered && (
        <section className="stack tight" aria-labelledby="ex-example">
          <h2 id="ex-example">Response, {operation.success}</h2>
          <p className="small muted">{operation.answers}</p>
          <CodeBlock label="Example response" copy={operation.example}>
            {operation.example}
          </CodeBlock>
        </section>
      )}
      <Refusals operation={operation} />
    </>
  )
}

function Levels({ operation: { levels, bounds } }: { operation: OperationPage }) {
  return (
    <section className="card" aria-labelledby="ex-levels">
      <div className="head ex-head">
        <h2 id="ex-levels">Access by key type</h2>
      </div>
      <LevelOutcomes outcomes={levels} />
      {bounds.length > 0 && <footer>{bounds.join(' · ')}</footer>}
    </section>
  )
}

function BodyFields({ operation: { bodyFields } }: { operation: OperationPage }) {
  return (
    <section className="stack tight" aria-label="Fields of the body">
      <h2>Fields of the body</h2>
      <DataTable label="Fields of the body" heads={['Field', 'Type', 'Description']}>
        {bodyFields.map(({ name, type, required, description }) => (
          <Row key={name}>
            <Cell>
              <code>{name}</code>
              {required && <span className="sub">required</span>}
            </Cell>
            <Cell label="Type">{type}</Cell>
            <Cell label="Description">
              <CodedText>{description}</CodedText>
            </Cell>
          </Row>
        ))}
      </DataTable>
    </section>
  )
}

function Refusals({ operation: { refusals } }: { operation: OperationPage }) {
  if (refusals.length === 0) return null
  return (
    <section className="stack tight" aria-label="Errors">
      <h2>Errors</h2>
      <DataTable label="Errors" heads={['Status', 'Code', 'Message']}>
        {refusals.map(({ status, code, message }) => (
          <Row key={`${status} ${message}`}>
            <Cell>{status}</Cell>
            <Cell label="Code">
              <Link to={`${errorPage()}/${code}`}>
                <code>{code}</code>
              </Link>
            </Cell>
            <Cell label="Message">{message}</Cell>
          </Row>
        ))}
      </DataTable>
    </section>
  )
}
