import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { page } from '../../services.server.ts'
import { getOps } from '../ops.server.ts'
import { readConstants } from './constants.server.ts'

export const meta: MetaFunction = () => [{ title: 'Constants · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor } = await getOps(args)
  await args.context.services.operations.requireOps(actor)
  return { groups: readConstants(args.context.services) }
})

export default function Constants() {
  const { groups } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Constants">
        The settings and limits in effect. They change only with the server’s environment or a new release.
      </PageHeader>
      {groups.map(({ title, constants }, place) => (
        <Card key={title} id={`group-${place}`} title={title}>
          <DataTable label={title} heads={['Setting', 'Value', 'Source']}>
            {constants.map(({ name, value, about, from }) => (
              <Row key={name}>
                <Cell>
                  {name}
                  <span className="sub">{about}</span>
                </Cell>
                <Cell label="Value">{value}</Cell>
                <Cell label="Source">
                  <code className="breaks">{from}</code>
                </Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
      ))}
    </>
  )
}
