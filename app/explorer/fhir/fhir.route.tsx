import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { Ban } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Banner, SubmitButton, Tag } from '../../components/ui/page-parts.tsx'
import { Switcher } from '../../components/ui/switcher.tsx'
import { page } from '../../services.server.ts'
import { AnswerBody } from '../answers/answer-body.tsx'
import { AnswerCode } from '../answers/answer-code.tsx'
import { AnswerPanel } from '../answers/answer-panel.tsx'
import { explorerAction } from '../calls/action.server.ts'
import { textsOf } from '../page.ts'
import { explorerMeta, Workbench } from '../workbench.tsx'
import { loadBuilder, runBuilder } from './fhir-builder.server.ts'
import type { FhirResult, ResultRow } from './fhir-result.ts'

export const meta = explorerMeta

export const loader = page(loadBuilder)

export const action = explorerAction(runBuilder)

export default function ExplorerFhir() {
  const outcome = useActionData<typeof action>()
  return (
    <Workbench page={useLoaderData<typeof loader>()} outcome={outcome}>
      {outcome?.kind === 'answer' && <FhirAnswer key={outcome.correlationId} answer={outcome} />}
    </Workbench>
  )
}

interface FhirAnswerProps {
  answer: Extract<Awaited<ReturnType<typeof runBuilder>>, { kind: 'answer' }>
}

const followForm = 'follow'

/** The response to a call, and the scopes that the call needed. */
function FhirAnswer({ answer }: FhirAnswerProps) {
  const { url, result, snippets, values } = answer
  const [scopes = '', scope = ''] = ['scopes', 'scope'].map((name) => textsOf(values, name)[0])
  const hidden = {
    type: answer.request.type,
    practice: answer.practice,
    as: answer.credential,
    scopes,
    scope,
  }
  const body = <AnswerBody {...answer} reference={toReference} />
  return (
    <AnswerPanel
      answer={answer}
      summary={
        <>
          <p className="small">
            <code className="breaks">GET {url}</code>
          </p>
          <ScopeLine {...answer} />
        </>
      }
      logs={null}
      code={<AnswerCode of="this call" snippets={snippets} variable="ACCESS_TOKEN" />}
    >
      <Form method="post" id={followForm}>
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </Form>
      {result && result.issues.length > 0 && (
        <ul className="list" aria-label="Server comment">
          {result.issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      )}
      {result && result.rows.length > 0 ? (
        <Switcher
          label="Response view"
          panes={[
            { label: 'Table', content: <Rows result={result} /> },
            { label: 'JSON', content: body },
          ]}
        />
      ) : (
        body
      )}
      {result && result.rows.length === 0 && result.issues.length === 0 && <p>No matches.</p>}
      {result?.next && (
        <div className="row">
          <SubmitButton look="outline" form={followForm} name="next" value={result.next} busy="Sending">
            Next page
          </SubmitButton>
        </div>
      )}
    </AnswerPanel>
  )
}

function ScopeLine({ status, scope, needed, missing }: FhirAnswerProps['answer']) {
  if (missing.length > 0)
    return (
      <Banner
        tone="wait"
        icon={Ban}
        title={status === 403 ? 'The token’s scopes don’t allow this.' : 'Some content was left out.'}
      >
        This call needs {needed.join(' ')}, but the token doesn’t have {missing.join(' ')}. Request these
        scopes when your app asks for authorization.
      </Banner>
    )
  return (
    <p className="small">
      This call needs <code>{needed.join(' ')}</code>. The token has <code className="breaks">{scope}</code>.
    </p>
  )
}

/** The first rows of the result; the others are folded. */
function Rows({ result: { rows, total } }: { result: FhirResult }) {
  const rest = rows.slice(rowsShown)
  return (
    <>
      {total !== null && <p className="small muted">{total} matches in total.</p>}
      <RowTable rows={rows.slice(0, rowsShown)} />
      {rest.length > 0 && (
        <details className="ex-fold">
          <summary>{rest.length} more</summary>
          <RowTable rows={rest} isRest />
        </details>
      )}
    </>
  )
}

function RowTable({ rows, isRest = false }: { rows: readonly ResultRow[]; isRest?: boolean }) {
  return (
    <DataTable
      label={isRest ? 'More resources' : 'Resources'}
      heads={['Resource', 'Summary', 'Date', 'Status', 'References']}
    >
      {rows.map(({ reference, mode, title, date, status, references }) => (
        <Row key={`${mode} ${reference}`}>
          <Cell>
            <Reference to={reference}>{reference}</Reference>{' '}
            {mode === 'include' && <Tag tone="teal">included</Tag>}
          </Cell>
          <Cell label="Summary">{title}</Cell>
          <Cell label="Date">{date?.slice(0, 10) ?? '–'}</Cell>
          <Cell label="Status">{status ?? '–'}</Cell>
          <Cell label="References">
            <References references={references} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}

/** Further rows are folded. */
const rowsShown = 25
const referencesShown = 3

function References({ references }: { references: FhirResult['rows'][number]['references'] }) {
  if (references.length === 0) return '–'
  const list = (shown: typeof references) =>
    shown.map(({ to, label }) => (
      <span key={to}>
        <Reference to={to}>{label}</Reference>
        <br />
      </span>
    ))
  const folded = references.slice(referencesShown)
  return (
    <>
      {list(references.slice(0, referencesShown))}
      {folded.length > 0 && (
        <details className="ex-fold">
          <summary>{folded.length} more</summary>
          {list(folded)}
        </details>
      )}
    </>
  )
}

const toReference = (to: string) => <Reference to={to}>{to}</Reference>

/** A button that loads the resource on this page, with the same token. */
function Reference({ to, children }: { to: string; children: string }) {
  return (
    <button type="submit" form={followForm} name="go" value={to} className="reference">
      {children}
    </button>
  )
}
