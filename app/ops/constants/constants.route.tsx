import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { page } from '../../services.server.ts'
import { getOps } from '../ops.server.ts'
import { OpsFrame } from '../ops-frame.tsx'
import { readConstants } from './constants.server.ts'

export const meta: MetaFunction = () => [{ title: 'Constants · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account } = await getOps(args)
  await args.context.services.operations.requireOps(actor)
  return { account, groups: readConstants(args.context.services) }
})

export default function Constants() {
  const { account, groups } = useLoaderData<typeof loader>()
  return (
    <OpsFrame
      account={account}
      title="Constants"
      lead="What is on, and which numbers hold. They change with the environment of the server, or with a release; nothing is switched here."
    >
      {groups.map(({ title, constants }, place) => (
        <Card key={title} id={`group-${place}`} title={title}>
          <DataTable label={title} heads={['What', 'Now', 'Where it stands']}>
            {constants.map(({ name, value, about, from }) => (
              <Row key={name}>
                <Cell>
                  {name}
                  <span className="sub">{about}</span>
                </Cell>
                <Cell label="Now">{value}</Cell>
                <Cell label="Where it stands">
                  <code className="breaks">{from}</code>
                </Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
      ))}
    </OpsFrame>
  )
}
