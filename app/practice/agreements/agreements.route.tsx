import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { FileText } from 'lucide-react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { getSession, page } from '../../services.server.ts'
import { AgreementTable } from '../../shared/agreements/agreement-table.tsx'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Agreements · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'practice')
  const { practicePeople, agreements } = args.context.services
  const practices = await practicePeople.listForAccount(session.accountId)
  const deciding = practices.filter(({ roles }) => roles.some((role) => role !== 'clinician'))
  const query = new URL(args.request.url).searchParams
  return {
    q: readPageAsk(query).q,
    account: { name: session.account.name, email: session.account.email },
    practices: await Promise.all(
      deciding.map(async ({ id, slug, name }) => ({
        id,
        name,
        page: `${slug}-page`,
        listed: await agreements.pageForPractice(id, readPageAsk(query, { q: 'q', page: `${slug}-page` })),
      })),
    ),
  }
})

export default function PracticeAgreements() {
  const { account, q, practices } = useLoaderData<typeof loader>()
  const none = practices.every(({ listed }) => listed.total === 0)
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="Agreements">
        Agreements your practice has signed with developers or still needs to sign.
      </PageHeader>
      {(q !== '' || practices.some(({ listed }) => listed.pages > 1)) && (
        <ListSearch label="Organization" q={q} />
      )}
      {none && q !== '' && <p className="muted">No agreement matches “{q}”.</p>}
      {none && q === '' && (
        <EmptyState icon={FileText} title="Nothing to sign">
          When your practice vouches for a developer’s production key, the business associate agreement with
          them is listed here.
        </EmptyState>
      )}
      {practices
        .filter(({ listed }) => listed.total > 0)
        .map(({ id, name, page: pageName, listed }) => (
          <section key={id} className="stack" aria-label={name}>
            <h2 className={practices.length > 1 ? undefined : 'sr'}>{name}</h2>
            <AgreementTable
              label={`Agreements of ${name}`}
              agreements={listed.rows}
              side="practice"
              pathOf={paths.practiceAgreement}
            />
            <Pager label={`agreements of ${name}`} listed={listed} name={pageName} />
          </section>
        ))}
    </ConsoleFrame>
  )
}
