import { data, redirect } from '@remix-run/server-runtime'
import { readIdentifier } from '../../server/contract/portal/identifiers.ts'
import { SearchX } from '../components/ui/icons.ts'
import { EmptyState, PageHeader } from '../components/ui/page-parts.tsx'
import { getSession, page } from '../services.server.ts'

export const meta = () => [{ title: 'Find · Sandpiper' }]
export const handle = { here: 'Find' }

export const loader = page(async (args) => {
  const { accountId } = await getSession(args, 'developer')
  const { organizations, recorder } = args.context.services
  const identifier = readIdentifier(new URL(args.request.url).searchParams.get('id') ?? '')
  // A recent call may not be in the database yet.
  if (identifier?.kind === 'call') await recorder.flush()
  const to = identifier && (await organizations.findIdentified({ identifier, accountId }))
  if (to) return redirect(to)
  return data(null, { status: 404 })
})

export default function Find() {
  return (
    <div className="page narrow">
      <PageHeader title="Nothing found">
        None of your organizations has a key, app or request with this identifier.
      </PageHeader>
      <EmptyState icon={SearchX} title="What you can find">
        The first 12 characters of a key, an app’s client ID, or a request’s correlation ID. Requests are
        stored for a limited time. For a refused request, its page names the reason and the fix.
      </EmptyState>
    </div>
  )
}
