import { Form, Link, useLoaderData } from '@remix-run/react'
import { Fragment } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Field } from '../../components/ui/form.tsx'
import { Link2, ScrollText } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Banner, Button, Card, EmptyState, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { page, readerZone } from '../../services.server.ts'
import { openOps, performAction } from '../ops.server.ts'
import { OpsActionForm, OpsActionLink } from '../ops-action.tsx'
import { readOpsAuditQuery, toAuditSearch } from './audit-query.ts'

export const meta = () => [{ title: 'Audit log · Sandpiper' }]

const pageActions = ['check_chain'] as const

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions, paths.staffAudit)
  const { audit } = args.context.services.operations
  const query = readOpsAuditQuery(args.request.url)
  const { rows, next } = await audit.search({ ...toAuditSearch(query, readerZone(args)), limit: 50 }, actor)
  return {
    act,
    query,
    rows,
    next,
    check: await audit.lastCheck(actor),
  }
})

export const action = page((args) => performAction(args, pageActions, paths.staffAudit))

export default function Audit() {
  const { query, rows, next } = useLoaderData<typeof loader>()
  const { zone } = useRoot()
  const { before: _, ...filters } = query
  return (
    <>
      <PageHeader
        title="Audit log"
        action={
          <a className="btn" href={`${paths.staffAuditFile}?${new URLSearchParams(filters)}`}>
            Download as CSV
          </a>
        }
      >
        Every change made in this portal. Rows are sealed, so tampering is detected.
      </PageHeader>
      <OpsActionForm />
      <ChainCheck />
      <Form method="get" className="card pad stack" role="search" aria-label="Filters">
        <div className="grid g2">
          <Field name="who" label="Person: email address or ID" value={query.who ?? ''} />
          <Field
            name="action"
            label="Action, or its first part"
            value={query.action ?? ''}
            hint="api_key.revoked, or api_key"
            mono
          />
          <Field
            name="subject"
            label="Target: kind or ID"
            value={query.subject ?? ''}
            hint="practice, or an ID from the list"
            mono
          />
          {/* Leaves a cell empty, so that both dates are in one row. */}
          <span />
          <Field name="from" label={`From (yyyy-mm-dd, ${zone})`} value={query.from ?? ''} />
          <Field name="to" label={`Until, inclusive (yyyy-mm-dd, ${zone})`} value={query.to ?? ''} />
        </div>
        <Button type="submit">Filter</Button>
      </Form>
      {rows.length === 0 ? (
        <EmptyState icon={ScrollText} title="No entries">
          No entries match the filters.
        </EmptyState>
      ) : (
        <Card label="Record">
          <DataTable label="Audit log" heads={['When', 'Who', 'Action', 'Details']}>
            {rows.map((row) => (
              <Row key={row.id}>
                <Cell>
                  <Moment at={row.at} as="seconds" />
                  <span className="sub">
                    {row.chainNumber ? `number ${row.chainNumber}` : 'not sealed yet'}
                  </span>
                </Cell>
                <Cell label="Who">
                  {row.actor ?? row.actorKind}
                  {row.actorId && (
                    <span className="sub">
                      <code className="breaks">{row.actorId}</code>
                    </span>
                  )}
                </Cell>
                <Cell label="Action">
                  <code>{breakable(row.action)}</code>
                  <span className="sub">
                    {row.subjectKind} <code className="breaks">{row.subjectId}</code>
                  </span>
                </Cell>
                <Cell label="Details">
                  <code className="breaks">{row.detail}</code>
                </Cell>
              </Row>
            ))}
          </DataTable>
          {next && (
            <footer className="pad">
              <Link to={`?${new URLSearchParams({ ...filters, before: next })}`}>Older</Link>
            </footer>
          )}
        </Card>
      )}
    </>
  )
}

function ChainCheck() {
  const { check } = useLoaderData<typeof loader>()
  const verdict = check?.verdict
  const verify = (
    <OpsActionLink
      act="check_chain"
      id=""
      version={0}
      label={check ? 'Verify again' : 'Verify chain'}
      about="the chain"
    />
  )
  if (!check || !verdict)
    return (
      <Banner tone="wait" icon={Link2} title="The chain has not been verified from here yet." action={verify}>
        Rows are sealed every few seconds. A signed head is written to files outside the database every
        minute.
      </Banner>
    )
  const verified = (
    <>
      Verified by {check.by}, <Moment at={check.at} />.
    </>
  )
  if (verdict.intact)
    return (
      <Banner tone="ok" title="The chain is intact." action={verify}>
        {verdict.sealed.toLocaleString('en-US')} rows sealed, {verdict.waiting} waiting,{' '}
        {verdict.heads.toLocaleString('en-US')} heads match. <Proven to={verdict.provenTo} /> {verified}
      </Banner>
    )
  return (
    <Banner tone="bad" title={`The chain is broken at ${verdict.number}.`} action={verify}>
      Found: {verdict.reason}. <Proven to={verdict.provenTo} /> {verified}
    </Banner>
  )
}

/** Checks by earlier releases did not record the last proven row. */
function Proven({ to }: { to: string | undefined }) {
  return to === undefined ? null : <>Proven up to row {Number(to).toLocaleString('en-US')}.</>
}

/** Lets the browser break an action's name between its words only. */
function breakable(action: string) {
  const words = [...action.matchAll(/[^._]+[._]*/g)]
  return words.map(({ index, 0: word }) => (
    <Fragment key={index}>
      <wbr />
      {word}
    </Fragment>
  ))
}
