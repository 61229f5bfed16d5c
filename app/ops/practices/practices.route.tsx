import { Link, useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Building2 } from '../../components/ui/icons.ts'
import { Cell, DataTable, ListSearch, Pager, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { openOps, performAction } from '../ops.server.ts'
import { OpsActionForm, OpsActionLink } from '../ops-action.tsx'

export const meta = () => [{ title: 'Practices · Sandpiper' }]

const pageActions = ['create_practice'] as const

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions, paths.staffPractices)
  const ask = readPageAsk(new URL(args.request.url).searchParams, { q: 'search', page: 'page' })
  return {
    act,
    listed: await args.context.services.operations.practices.list(ask, actor),
  }
})

export const action = page((args) => performAction(args, pageActions, paths.staffPractices))

export default function Practices() {
  const { act, listed } = useLoaderData<typeof loader>()
  const { rows: practices, q } = listed
  return (
    <>
      <PageHeader title="Practices">Every practice, production first.</PageHeader>
      {act.requested ? (
        <OpsActionForm />
      ) : (
        <div>
          <OpsActionLink act="create_practice" id="" version={0} label="Create practice" about="" />
        </div>
      )}
      <ListSearch label="Practice name or ID" q={q} name="search" />
      {practices.length === 0 ? (
        <EmptyState icon={Building2} title="No matching practices">
          Try a shorter part of its name.
        </EmptyState>
      ) : (
        <Card label="Practices">
          <DataTable label="Practices" heads={['Practice', 'State', 'FHIR', 'Keys']}>
            {practices.map((row) => (
              <Row key={row.slug}>
                <Cell>
                  <Link className="label" to={paths.staffPractice(row.slug)}>
                    {row.name}
                  </Link>
                  <span className="sub">
                    {row.environment}, <code className="breaks">{row.slug}</code>
                  </span>
                </Cell>
                <Cell label="State">
                  <Tag tone={row.state === 'active' ? 'ok' : 'bad'}>
                    {row.state === 'active' ? 'Active' : 'Stopped'}
                  </Tag>
                </Cell>
                <Cell label="FHIR">{row.fhirEnabled ? 'On' : 'Off'}</Cell>
                <Cell label="Keys">{row.keys}</Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="practices" listed={listed} />
        </Card>
      )}
    </>
  )
}
