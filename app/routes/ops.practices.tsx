import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Building2 } from 'lucide-react'
import { paths } from '../../server/contract/paths.ts'
import { OpsFrame } from '../components/frames/ops-frame.tsx'
import { Line } from '../components/records/production-acts.tsx'
import { Button } from '../components/ui/button.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { Tag } from '../components/ui/tag.tsx'
import { getOps } from '../ops.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Practices · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account } = await getOps(args)
  const search = (new URL(args.request.url).searchParams.get('search') ?? '').trim().slice(0, 100)
  const practices = await args.context.services.operations.practices.list({ search }, actor)
  return { account, search, practices }
})

export default function Practices() {
  const { account, search, practices } = useLoaderData<typeof loader>()
  return (
    <OpsFrame
      account={account}
      title="Practices"
      lead="Every practice that keys and apps can be made for, production first."
    >
      <Form method="get" className="card pad stack" role="search" aria-label="Find a practice">
        <Line id="search" name="search" label="Part of its name or id" value={search} />
        <div>
          <Button type="submit">Look up</Button>
        </div>
      </Form>
      {practices.length === 0 ? (
        <Empty icon={Building2} title="No practice fits">
          Try a shorter part of its name.
        </Empty>
      ) : (
        <section className="card" aria-label="Practices">
          <Table label="Practices" heads={['Practice', 'State', 'FHIR', 'Keys']}>
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
                    {row.state === 'active' ? 'Active' : 'Suspended'}
                  </Tag>
                </Cell>
                <Cell label="FHIR">{row.fhirEnabled ? 'On' : 'Off'}</Cell>
                <Cell label="Keys">{row.keys}</Cell>
              </Row>
            ))}
          </Table>
          <footer>Three hundred at most.</footer>
        </section>
      )}
    </OpsFrame>
  )
}
