import { useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { PackageOpen } from '../../components/ui/icons.ts'
import { Pager, SearchedList } from '../../components/ui/list.tsx'
import { Banner, PageHeader, Tabs } from '../../components/ui/page-parts.tsx'
import { type PageArgs, page } from '../../services.server.ts'
import { cancelShownExport } from '../../shared/exports/cancel-export.server.ts'
import { ExportTable } from '../../shared/exports/export-table.tsx'
import { getApp } from './own-app.server.ts'

export const meta = () => [{ title: 'Exports · Sandpiper' }]
export const handle = { here: 'Apps / Exports' }

/** The backend app in the URL. @throws a 404 page for any other app */
async function getBackend(args: PageArgs) {
  const { app, actor, organization, tabs } = await getApp(args)
  if (app.audience !== 'backend') throw data(null, { status: 404 })
  const { clientId, name } = app
  return { app: { clientId, name, tabs }, actor, here: paths.appExports(organization.slug, clientId) }
}

export const loader = page(async (args) => {
  const { app, actor } = await getBackend(args)
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return { app, listed: await args.context.services.exportAdmin.listForClient(app.clientId, actor, ask) }
})

export const action = page(async (args) => {
  const { actor, here } = await getBackend(args)
  return cancelShownExport(args.request, {
    exportAdmin: args.context.services.exportAdmin,
    actor,
    page: here,
  })
})

export default function AppExports() {
  const { app, listed } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  return (
    <div className="page">
      <PageHeader title={`Exports of ${app.name}`}>
        Each practice runs one export at a time. Other requests get a 429 response until it finishes.
        Canceling an export frees the slot immediately.
      </PageHeader>
      <Tabs label={app.name} tabs={app.tabs} />
      {wrong && <Banner tone="bad" title={wrong} />}
      <SearchedList
        listed={listed}
        search="Practice"
        one="export"
        icon={PackageOpen}
        title="No exports yet"
        empty={
          <>
            Use a token with <code>system/</code> scopes to request <code>Group/gr-all-patients/$export</code>{' '}
            under a practice’s FHIR base URL. Running and finished exports are listed here.
          </>
        }
      >
        <ExportTable label={`Exports of ${app.name}`} exports={listed.rows} by="practice" />
        <Pager label="exports" listed={listed} />
      </SearchedList>
    </div>
  )
}
