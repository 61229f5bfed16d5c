import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { FileText } from '../components/ui/icons.ts'
import { Pager, SearchedList } from '../components/ui/list.tsx'
import { Card, PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { AgreementTable } from '../shared/agreements/agreement-table.tsx'
import { ForDeciders } from './for-deciders.tsx'
import { decidingRoles, findPractice } from './practice.server.ts'

export const meta = () => [{ title: 'Agreements · Sandpiper' }]

export const loader = page(async (args) => {
  const { actor, practice } = await findPractice(args, decidingRoles)
  if (!practice) return { practice: null, listed: null }
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return {
    practice: { slug: practice.slug, name: practice.name },
    listed: await args.context.services.agreements.pageForPractice(practice.id, ask, actor),
  }
})

export default function PracticeAgreements() {
  const { practice, listed } = useLoaderData<typeof loader>()
  if (!practice) return <ForDeciders title="Agreements" />
  return (
    <>
      <PageHeader title="Agreements">
        Contracts between {practice.name} and the companies that can reach its records. A key works only with
        an agreement in force.
      </PageHeader>
      <SearchedList
        listed={listed}
        search="Organization"
        one="agreement"
        icon={FileText}
        title="No agreements yet"
        empty="When you confirm a key request, the business associate agreement (BAA) with its developer is listed here for you to sign."
      >
        <Card label="Agreements">
          <AgreementTable
            label={`Agreements of ${practice.name}`}
            agreements={listed.rows}
            side="practice"
            pathOf={paths.practiceAgreement}
          />
          <Pager label="agreements" listed={listed} />
        </Card>
      </SearchedList>
    </>
  )
}
