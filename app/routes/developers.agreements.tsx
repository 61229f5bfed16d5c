import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { FileText } from 'lucide-react'
import { paths } from '../../server/contract/paths.ts'
import { AgreementTable } from '../components/records/agreement-table.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { getOrganization } from '../organization.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Agreements · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization } = await getOrganization(args)
  const agreements = await args.context.services.agreements.listForOrganization(organization.id)
  return { slug: organization.slug, name: organization.name, agreements }
})

export default function Agreements() {
  const { slug, name, agreements } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHead title="Agreements">What {name} signed, and what waits for a signature.</PageHead>
      {agreements.length === 0 ? (
        <Empty icon={FileText} title="Nothing to sign">
          Documents are offered when a production key for the REST API is asked for.
        </Empty>
      ) : (
        <AgreementTable
          label="Agreements"
          agreements={agreements}
          side="developer"
          pathOf={(id) => paths.agreement(slug, id)}
        />
      )}
    </div>
  )
}
