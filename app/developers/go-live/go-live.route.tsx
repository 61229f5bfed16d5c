import { Link, useLoaderData } from '@remix-run/react'
import { goLiveBounds, goLiveChecks } from '../../../server/contract/lab/go-live-checks.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CircleDashed, ClipboardCheck } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, LinkButton, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { getOrganization, page } from '../../services.server.ts'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { checkIds, goLiveNote, goLiveWords } from './go-live-report.ts'

export const meta = () => [{ title: 'Go-live report · Sandpiper' }]
export const handle = { here: 'Test / Go-live report' }

const shownMax = 20

export const loader = page(async (args) => {
  const { organization, mine } = await getOrganization(args)
  const report = await args.context.services.goLive.report(mine)
  return {
    file: `${paths.goLive(organization.slug)}.md`,
    keys: paths.organizationKeys(organization.slug),
    report: {
      ...report,
      operations: report.operations.slice(0, shownMax),
      causes: report.causes.slice(0, shownMax),
    },
  }
})

export default function GoLive() {
  const { report, file, keys } = useLoaderData<typeof loader>()
  const toDo = checkIds.filter((id) => report.findings[id].state === 'act').length
  if (report.calls === 0) return <NoCalls keys={keys} />
  return (
    <div className="page">
      <PageHeader
        title="Go-live report"
        action={
          <a className="btn no-print" href={file} download>
            Download as Markdown
          </a>
        }
      >
        {toDo === 0 ? 'Your calls show nothing to improve.' : `${counted(toDo, 'recommendation')}.`}{' '}
        {goLiveNote}
      </PageHeader>
      <p className="muted">
        {counted(report.calls, 'call')}, <Moment at={report.since} as="date" /> to{' '}
        <Moment at={report.until} as="date" />, for all keys and apps of the organization
        {report.cut && `; from the newest ${goLiveBounds.rowsMax.toLocaleString('en-US')} log entries`}.
      </p>
      <Card id="checks" title="Checklist">
        <DataTable label="Checklist" heads={['State', 'Check', 'Result']}>
          {checkIds.map((id) => (
            <Check key={id} id={id} finding={report.findings[id]} />
          ))}
        </DataTable>
      </Card>
      <Operations operations={report.operations} />
      {report.causes.length > 0 && <Causes causes={report.causes} />}
    </div>
  )
}

function NoCalls({ keys }: { keys: string }) {
  return (
    <div className="page">
      <PageHeader title="Go-live report">{goLiveNote}</PageHeader>
      <EmptyState
        icon={ClipboardCheck}
        title="No calls yet"
        action={
          <LinkButton look="primary" to={keys}>
            Look at your keys
          </LinkButton>
        }
      >
        The report is based on your keys’ and apps’ activity: paging, waiting, renewing and refused requests.
        No calls were made in {goLiveBounds.days} days.
      </EmptyState>
    </div>
  )
}

type Report = ReturnType<typeof useLoaderData<typeof loader>>['report']
type CheckProps = { id: (typeof checkIds)[number]; finding: Report['findings'][(typeof checkIds)[number]] }

function Check({ id, finding: { state, seen } }: CheckProps) {
  const { title, advice, guide } = goLiveChecks[id]
  return (
    <Row>
      <Cell>
        <Tag
          tone={state === 'good' ? 'ok' : state === 'act' ? 'turn' : 'quiet'}
          icon={state === 'unseen' ? CircleDashed : undefined}
        >
          {goLiveWords[state]}
        </Tag>
      </Cell>
      <Cell label="Check">
        <span className="label">{title}</span>
        <span className="sub">
          {state !== 'good' && `${advice} `}
          <Link to={guidePath(guide)}>
            Guide<span className="sr"> on: {title}</span>
          </Link>
        </span>
      </Cell>
      <Cell label="Result">{seen}</Cell>
    </Row>
  )
}

const apiNames = { rest: 'REST', fhir: 'FHIR', bulk: 'Bulk', smart: 'SMART', status: 'Status' } as const

function Operations({ operations }: Pick<Report, 'operations'>) {
  return (
    <Card id="operations" title="Usage">
      <DataTable label="Operations" heads={['Operation', 'Interface', 'Succeeded', 'Refused']}>
        {operations.map(({ door, method, route, served, refused }) => (
          <Row key={`${door} ${method} ${route}`}>
            <Cell>
              <code className="breaks">
                {method} {route}
              </code>
            </Cell>
            <Cell label="Interface">{apiNames[door]}</Cell>
            <Cell label="Succeeded">{served.toLocaleString('en-US')}</Cell>
            <Cell label="Refused">{refused.toLocaleString('en-US')}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}

function Causes({ causes }: Pick<Report, 'causes'>) {
  return (
    <Card id="causes" title="Refusals by cause">
      <DataTable label="Refusals by cause" heads={['Cause', 'Response', 'Calls']}>
        {causes.map(({ refusal, reason, status, count }) => (
          <Row key={refusal}>
            <Cell>{reason}</Cell>
            <Cell label="Response">{status}</Cell>
            <Cell label="Calls">{count.toLocaleString('en-US')}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
