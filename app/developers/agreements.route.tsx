import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { FileText } from '../components/ui/icons.ts'
import { Pager, SearchedList } from '../components/ui/list.tsx'
import { Card, PageHeader } from '../components/ui/page-parts.tsx'
import { getOrganization, page } from '../services.server.ts'
import { AgreementTable } from '../shared/agreements/agreement-table.tsx'

export const meta = () => [{ title: 'Agreements · Sandpiper' }]
export const handle = { here: 'Agreements' }

export const loader = page(async (args) => {
  const { actor, organization } = await getOrganization(args)
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const listed = await args.context.services.agreements.pageForOrganization(organization.id, ask, actor)
  return { slug: organization.slug, name: organization.name, listed }
})

export default function Agreements() {
  const { slug, name, listed } = useLoaderData<typeof loader>()
  const { rows: agreements } = listed
  return (
    <div className="page">
      <PageHeader title="Agreements">Agreements that {name} has signed or still needs to sign.</PageHeader>
      <SearchedList
        listed={listed}
        search="Practice"
        one="agreement"
        icon={FileText}
        title="No agreements yet"
        empty="You get agreements to sign when you request a production key for the REST API."
      >
        <Card>
          <AgreementTable
            label="Agreements"
            agreements={agreements}
            side="developer"
            pathOf={(id) => paths.agreement(slug, id)}
          />
        </Card>
        <Pager label="agreements" listed={listed} />
      </SearchedList>
    </div>
  )
}
