import { useActionData, useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { PackageOpen } from '../../components/ui/icons.ts'
import { Pager, SearchedList } from '../../components/ui/list.tsx'
import { Banner, PageHeader } from '../../components/ui/page-parts.tsx'
import { actorOf, getSession, page } from '../../services.server.ts'
import { cancelShownExport } from '../../shared/exports/cancel-export.server.ts'
import { ExportTable } from '../../shared/exports/export-table.tsx'
import { ForDeciders } from '../for-deciders.tsx'
import { decidingRoles, findPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Exports · Sandpiper' }]

export const loader = page(async (args) => {
  const { practice, actor } = await findPractice(args, decidingRoles)
  if (!practice) return { practice: null, listed: null }
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return {
    practice: { slug: practice.slug, name: practice.name, admin: practice.roles.includes('admin') },
    listed: await args.context.services.exportAdmin.listForPractice(practice.id, actor, ask),
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'practice')
  return cancelShownExport(args.request, {
    exportAdmin: args.context.services.exportAdmin,
    actor: actorOf(args, session),
    page: paths.practiceExports,
  })
})

export default function PracticeExports() {
  const { practice, listed } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  if (!practice) return <ForDeciders title="Exports" />
  return (
    <>
      <PageHeader title="Exports">
        An export gives all your patients’ records to a backend system you allowed. Only that system can open
        the files, for 24 hours.
      </PageHeader>
      {wrong && <Banner tone="bad" title={wrong} />}
      <SearchedList
        listed={listed}
        search="System or organization"
        one="export"
        icon={PackageOpen}
        title="No exports yet"
        empty={
          <>
            When a backend system you allowed exports the records of {practice.name}, the export is listed
            here: who, when, what and how much.
          </>
        }
      >
        <ExportTable label={`Exports of ${practice.name}`} exports={listed.rows} by="client" />
        <Pager label="exports" listed={listed} />
      </SearchedList>
    </>
  )
}
