import { Link, Outlet, useLoaderData, useRevalidator } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { useEffect } from 'react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { KeyListView } from '../../../server/domain/keys/key-list.ts'
import { DropMenu } from '../../components/ui/drop-menu.tsx'
import { FlaskConical, KeyRound, Plus, ShieldCheck } from '../../components/ui/icons.ts'
import { DataTable, ListSearch, Pager } from '../../components/ui/list.tsx'
import { Card, EmptyState, PageHeader, Tabs } from '../../components/ui/page-parts.tsx'
import { doneCookie } from '../../lib/flash.ts'
import { readFields } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { KeyRow, keyHeads, type ListRecord } from './key-rows.tsx'

export const meta = () => [{ title: 'Keys · Sandpiper' }]
export const handle = { here: 'Keys' }

const views: Readonly<Record<KeyListView, string>> = {
  current: 'Current',
  sandbox: 'Sandbox',
  production: 'Production',
  ended: 'Expired and revoked',
}

const isView = (text: string | null): text is KeyListView => text !== null && Object.hasOwn(views, text)

export const loader = page(async (args) => {
  const { organization, member } = await getOrganization(args)
  const query = new URL(args.request.url).searchParams
  const view = query.get('show')
  const show = isView(view) ? view : 'current'
  const { counts, ...listed } = await args.context.services.keys.listPage({
    ...member,
    show,
    ask: readPageAsk(query),
  })
  const { role, slug } = organization
  return {
    slug,
    mayRequest: role !== 'viewer',
    mayRequestProduction: role === 'owner' || role === 'admin',
    now: args.context.services.clock(),
    show,
    counts,
    listed,
  }
})

/** Sends a claim link again. */
export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const requestId = String((await readFields(args.request)).get('request') ?? '')
  const answer = await args.context.services.keys.reissueClaim({ requestId }, actor)
  const headers: HeadersInit = answer.kind === 'sent' ? { 'set-cookie': doneCookie('claim_sent') } : {}
  return redirect(paths.organizationKeys(organization.slug), { headers })
})

type Data = ReturnType<typeof useLoaderData<typeof loader>>

const isBeingCreated = (record: ListRecord) =>
  record.kind === 'request' && (record.state === 'requested' || record.state === 'approved')

export default function Keys() {
  const data = useLoaderData<typeof loader>()
  const { counts, listed, now, show, slug } = data
  const { rows, q } = listed
  const base = paths.organizationKeys(slug)
  useReloads(rows.some(isBeingCreated))
  const isEmpty = counts.current + counts.ended === 0
  return (
    <div className="page">
      <PageHeader title="Keys" action={!isEmpty && <NewKey {...data} />}>
        A key reads one practice. Keep it on a server you control.{' '}
        <Link to={guidePath('authentication')}>About access and expiry</Link>
      </PageHeader>
      <Outlet />
      {isEmpty ? (
        <EmptyState icon={KeyRound} title="No keys yet" action={<NewKey {...data} />}>
          {data.mayRequest
            ? 'With a key, your server can read the sandbox. Requesting one takes about a minute.'
            : 'With a key, a server can read the sandbox. Your role is read-only. A developer or admin can request one.'}
        </EmptyState>
      ) : (
        <>
          <Tabs
            label="Which keys"
            tabs={(Object.keys(views) as KeyListView[]).map((view) => ({
              to: view === 'current' ? base : `${base}?show=${view}`,
              label: views[view],
              count: counts[view],
              current: view === show,
            }))}
          />
          {(q !== '' || listed.pages > 1) && <ListSearch label="Key name, prefix or practice" q={q} />}
          <Card label="Keys and requests">
            {rows.length === 0 ? (
              <p className="pad muted">{q === '' ? 'None.' : `No key matches “${q}”.`}</p>
            ) : (
              <DataTable label="Keys" heads={keyHeads}>
                {rows.map((record) => (
                  <KeyRow key={record.id} record={record} now={now} slug={slug} />
                ))}
              </DataTable>
            )}
            <Pager label="keys" listed={listed} />
            <footer>
              Bars show calls per day, marks below the line refused ones.{' '}
              <Link to={guidePath('keys')}>A call fails? Check a key</Link>
            </footer>
          </Card>
        </>
      )}
    </div>
  )
}

/** Reloads the page's data every few seconds while a key is being created, for two minutes at most. */
function useReloads(isActive: boolean) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isActive) return
    let left = 30
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') revalidate()
      left -= 1
      if (left === 0) clearInterval(timer)
    }, 4_000)
    return () => clearInterval(timer)
  }, [isActive, revalidate])
}

/** A menu with both environments. */
function NewKey({ slug, mayRequest, mayRequestProduction }: Data) {
  if (!mayRequest) return null
  return (
    <DropMenu
      summaryClass="btn primary"
      summary={
        <>
          <Plus className="i" />
          New key
        </>
      }
    >
      <nav aria-label="New key">
        <Link className="item" to={`${paths.organizationKeys(slug)}/new`}>
          <FlaskConical className="i" />
          <span>
            Sandbox key
            <span className="sub">Synthetic patients. The key is ready in a minute.</span>
          </span>
        </Link>
        {mayRequestProduction && (
          <Link className="item" to={paths.newProductionKey(slug)}>
            <ShieldCheck className="i" />
            <span>
              Production key
              <span className="sub">
                One practice’s records. The practice sponsors it and signs a BAA with you.
              </span>
            </span>
          </Link>
        )}
      </nav>
    </DropMenu>
  )
}
