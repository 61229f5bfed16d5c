import { Form, Link, type MetaFunction, NavLink } from '@remix-run/react'
import { type ReactNode, useRef } from 'react'
import { paths } from '../../server/contract/portal/paths.ts'
import { CodeBlock } from '../components/ui/code-block.tsx'
import { CodedText } from '../components/ui/coded-text.tsx'
import { TriangleAlert } from '../components/ui/icons.ts'
import { LastCalls } from './calls/last-calls.tsx'
import { Fields } from './form/fields.tsx'
import { requestForm, SendLine, useSending } from './form/send-line.tsx'
import type { ExplorerPage, Fault, OperationGroup, Values } from './page.ts'

interface WorkbenchProps {
  page: ExplorerPage
  /** The form that was sent last, and its error if it was refused. */
  outcome:
    | ({ kind: string; values: Values; practice: string; credential: string } & Partial<Fault>)
    | undefined
  /** The response, if there is one. */
  children: ReactNode
}

export const explorerMeta: MetaFunction = ({ data }) => [
  { title: `${(data as ExplorerPage | undefined)?.title ?? 'Explorer'} · Explorer · Sandpiper` },
  { name: 'description', content: 'Call the APIs from this page. No key to paste, no code to write.' },
]

/** The list of operations, and the request and its response beside each other. */
export function Workbench({ page, outcome, children }: WorkbenchProps) {
  const values = outcome?.values ?? page.values
  const { field = null, message } = outcome ?? {}
  const fault = outcome?.kind === 'refused' && message !== undefined ? { field, message } : null
  return (
    <div className="ex">
      <h1 className="sr">Explorer</h1>
      <section className="ex-ops" aria-label="Operations">
        <nav className="ex-tabs" aria-label="Explorer">
          <Link to={paths.explorer} aria-current={page.api === 'REST' ? 'true' : undefined}>
            REST
          </Link>
          <NavLink to={paths.explorerFhir}>FHIR</NavLink>
          <NavLink to={paths.explorerMcp}>MCP</NavLink>
        </nav>
        <nav className="wide" aria-label={`${page.api} operations`}>
          <Operations groups={page.operations} />
        </nav>
        <details className="ex-fold narrow">
          <summary>
            <b>{page.title}</b>, all operations
          </summary>
          <nav aria-label={`${page.api} operations`}>
            <Operations groups={page.operations} />
          </nav>
        </details>
      </section>
      <div className="ex-work">
        <SendLine
          page={page}
          values={values}
          practice={outcome?.practice || page.practice}
          credential={outcome?.credential || page.credential.value}
        />
        <div className="ex-panes">
          <section className="stack" aria-labelledby="ex-title">
            <Request page={page} values={values} fault={fault} isSent={outcome !== undefined} />
            {page.suggestions.map((group) => (
              <Suggestions key={group.title} {...group} />
            ))}
            {page.signedIn && <LastCalls {...page.history} />}
          </section>
          <section className="stack ex-response">{children || <Idle page={page} />}</section>
        </div>
      </div>
    </div>
  )
}

function Operations({ groups }: { groups: readonly OperationGroup[] }) {
  return groups.map(({ title, rows }) => (
    <section key={title}>
      <p className="small muted">{title}</p>
      {rows.map(({ to, method, label, isCurrent, writes }) => (
        <Link
          key={to}
          to={to}
          prefetch="intent"
          aria-current={isCurrent ? 'page' : undefined}
          title={writes ? 'Writes: needs a full key' : undefined}
        >
          <i>{method}</i>
          <span>{label}</span>
        </Link>
      ))}
    </section>
  ))
}

interface RequestProps {
  page: ExplorerPage
  values: Values
  fault: Fault | null
  isSent: boolean
}

/** An ordinary form: without JavaScript it is posted, and the page returns with the response. */
function Request({ page, values, fault, isSent }: RequestProps) {
  const { request, title, description, reference, source, signedIn, note } = page
  const form = useRef<HTMLFormElement>(null)
  const sending = useSending()
  return (
    <>
      <div>
        <h2 id="ex-title">{title}</h2>
        <p className="muted small">
          <CodedText>{description}</CodedText> {reference && <Link to={reference.to}>{reference.label}</Link>}
        </p>
        <p className="muted small">
          Built from <a href={source.to}>{source.label}</a>, {source.version}
        </p>
      </div>
      {!signedIn && (
        <p className="small muted">
          You aren’t signed in, so calls go to the shared demonstration practice, read-only, a few a minute.{' '}
          <Link to={paths.signUp}>Sign up</Link> to get your own sandbox with write access. The{' '}
          <Link to={paths.sandboxTerms}>sandbox terms</Link> apply.
        </p>
      )}
      {note && !isSent && <p>{note}</p>}
      <Form
        ref={form}
        key={request.key}
        id={requestForm}
        method="post"
        action={request.action}
        className="stack"
        aria-label="Request"
        // The API checks the values, so that people see its refusals.
        noValidate
        preventScrollReset
        onSubmit={(event) => sending && event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
        }}
      >
        {Object.entries(request.hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {fault && (
          <p className="err" role="alert">
            <TriangleAlert className="i" />
            {fault.message}
          </p>
        )}
        {request.fields.length === 0 && <p className="small muted">It takes no parameters.</p>}
        <Fields fields={request.fields} values={values} choices={page.choices} fault={fault} />
      </Form>
    </>
  )
}

/** Links that fill in values, so that no script is needed. */
function Suggestions({ title, list }: ExplorerPage['suggestions'][number]) {
  return (
    <section className="stack tight" aria-label={title}>
      <h3>{title}</h3>
      <div className="row ex-chips">
        {list.map(({ label, search }) => (
          <Link key={label} className="btn sm" to={{ search }} preventScrollReset>
            {label}
          </Link>
        ))}
      </div>
    </section>
  )
}

function Idle({ page: { idle } }: { page: ExplorerPage }) {
  return (
    <>
      <h2>{idle.title}</h2>
      <p className="small muted">{idle.text}</p>
      {idle.example && (
        <CodeBlock label="Example response" copy={idle.example}>
          {idle.example}
        </CodeBlock>
      )}
    </>
  )
}
