import type { MetaFunction } from '@remix-run/react'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { PackageOpen } from 'lucide-react'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { Banner } from '../components/ui/banner.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { actorOf, getSession, page } from '../services.server.ts'
import { cancelShownExport } from '../shared/exports/cancel-export.server.ts'
import { ExportTable } from '../shared/exports/export-table.tsx'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Exports · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'practice')
  const { practicePeople, exportAdmin } = args.context.services
  const actor = actorOf(args, session)
  const practices = await practicePeople.listForAccount(session.accountId)
  const deciding = practices.filter(({ roles }) => roles.some((role) => role !== 'clinician'))
  const query = new URL(args.request.url).searchParams
  return {
    q: readPageAsk(query).q,
    account: { name: session.account.name, email: session.account.email },
    practices: await Promise.all(
      deciding.map(async ({ id, slug, name }) => ({
        slug,
        name,
        listed: await exportAdmin.listForPractice(
          id,
          actor,
          readPageAsk(query, { q: 'q', page: `${slug}-page` }),
        ),
      })),
    ),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'practice')
  return cancelShownExport(args.request, {
    exportAdmin: args.context.services.exportAdmin,
    actor: actorOf(args, session),
    page: paths.practiceExports,
  })
})

export default function PracticeExports() {
  const { account, q, practices } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="Exports">
        Each export hands every patient’s records to a system that you granted. Its files open for that system
        alone, for 24 hours.
      </PageHeader>
      {wrong && <Banner tone="bad" title={wrong} />}
      {practices.length === 0 && (
        <EmptyState icon={PackageOpen} title="You decide at no practice">
          Admins and signatories of a practice see here who exported its data.
        </EmptyState>
      )}
      {(q !== '' || practices.some(({ listed }) => listed.pages > 1)) && (
        <ListSearch label="System or organization" q={q} />
      )}
      {practices.map(({ slug, name, listed }) => (
        <section key={slug} className="stack" aria-label={name}>
          <h2 className={practices.length > 1 ? undefined : 'sr'}>{name}</h2>
          {listed.total === 0 && q !== '' ? (
            <p className="muted">No export matches “{q}”.</p>
          ) : listed.total === 0 ? (
            <EmptyState icon={PackageOpen} title="Nothing was exported">
              When a backend system that you granted exports {name}’s data, it is listed here while it runs
              and afterwards: who, when, what and how much.
            </EmptyState>
          ) : (
            <>
              <ExportTable label={`Exports of ${name}`} exports={listed.rows} by="client" />
              <Pager label={`exports of ${name}`} listed={listed} name={`${slug}-page`} />
            </>
          )}
        </section>
      ))}
    </ConsoleFrame>
  )
}
