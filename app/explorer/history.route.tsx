import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { limits } from '../../server/contract/http/limits.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { Button, LinkButton } from '../components/ui/button.tsx'
import { Cell, DataTable, Row } from '../components/ui/data-table.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { History, Trash2 } from '../components/ui/icons.ts'
import { Moment } from '../components/ui/moment.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { getSession, page } from '../services.server.ts'
import { CallStatus } from '../shared/activity/call-table.tsx'
import { pathOfKept } from './calls/kept-call.ts'
import { ExplorerNav } from './explorer-nav.tsx'

export const meta: MetaFunction = () => [{ title: 'History · Explorer · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { accountId } = await getSession(args, 'developer')
  return { calls: await args.context.services.explorerHistory.list(accountId) }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { accountId } = await getSession(args, 'developer')
  const call = (await args.request.formData()).get('call')
  await args.context.services.explorerHistory.forget(accountId, typeof call === 'string' ? call : null)
  return redirect(paths.explorerHistory)
})

export default function ExplorerHistory() {
  const { calls } = useLoaderData<typeof loader>()
  return (
    <div className="ex-page">
      <ExplorerNav />
      <PageHeader
        title="History"
        action={
          calls.length > 0 && (
            <Form method="post">
              <Button type="submit">
                <Trash2 className="i" />
                Delete all
              </Button>
            </Form>
          )
        }
      >
        Your last {limits.explorerCallsKept} calls in the explorer, kept for {limits.explorerCallDays} days.
        Only you can see them. Bodies and values that could name a person are never stored.
      </PageHeader>
      {calls.length === 0 ? (
        <EmptyState
          icon={History}
          title="No calls yet"
          action={
            <LinkButton look="primary" to={paths.explorerOperation('listPatients')}>
              Make a first call
            </LinkButton>
          }
        >
          Calls you make in the explorer are listed here.
        </EmptyState>
      ) : (
        <DataTable label="Calls" heads={['When', 'Call', 'Response', 'Practice', 'Duration', 'Delete']}>
          {calls.map((call) => (
            <Row key={call.id}>
              <Cell>
                <Moment at={call.at} as="seconds" />
              </Cell>
              <Cell label="Call">
                <CallName call={call} />
              </Cell>
              <Cell label="Response">
                <CallStatus status={call.status} />
              </Cell>
              <Cell label="Practice">
                {call.practiceSlug}
                <span className="sub">{levelWords[call.level]}</span>
              </Cell>
              <Cell label="Duration">{`${call.durationMs.toLocaleString('en-US')}\u00a0ms`}</Cell>
              <Cell>
                <Form method="post">
                  <input type="hidden" name="call" value={call.id} />
                  <Button type="submit" look="plain" size="sm" icon aria-label="Delete this call">
                    <Trash2 className="i" />
                  </Button>
                </Form>
              </Cell>
            </Row>
          ))}
        </DataTable>
      )}
    </div>
  )
}

/** What it was made with; lines of FHIR say whose token. */
const levelWords: Readonly<Record<string, string>> = {
  read_only: 'read-only key',
  full: 'full key',
  full_writes: 'full key, MCP writes on',
  patient: 'patient’s token',
  clinician: 'clinician’s token',
}

type Kept = ReturnType<typeof useLoaderData<typeof loader>>['calls'][number]

function CallName({ call }: { call: Kept }) {
  const { request } = call
  const query = Object.entries(request.query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${each}`),
  )
  const text = `${request.method} ${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return (
    <>
      <code className="breaks">
        <Link to={pathOfKept(call)}>{text}</Link>
      </code>
      {request.body && <span className="sub">with a body</span>}
    </>
  )
}
