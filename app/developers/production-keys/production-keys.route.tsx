import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { KeyRound } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { levelWords, StateTag } from '../../shared/production-keys/production-parts.tsx'

export const meta: MetaFunction = () => [{ title: 'Production keys · Sandpiper' }]
export const handle = { here: 'Production keys' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { productionKeys, organizationDomains } = args.context.services
  const [rows, profile, domains] = await Promise.all([
    productionKeys.list(organization.id, actor),
    productionKeys.profiles.get(organization.id, actor),
    organizationDomains.list(organization.id, actor),
  ])
  return {
    slug: organization.slug,
    listed: pageOf(readPageAsk(new URL(args.request.url).searchParams), rows, (row) => [
      row.name,
      row.practiceName,
      row.prefix,
    ]),
    mayStart: organization.role === 'owner' || organization.role === 'admin',
    profile: profile && { updatedAt: profile.updatedAt, updatedBy: profile.updatedBy },
    domain: domains.find(({ verifiedAt }) => verifiedAt !== null)?.domain ?? null,
  }
})

export default function ProductionKeys() {
  const { slug, listed, mayStart, profile, domain } = useLoaderData<typeof loader>()
  const { rows, q } = listed
  const begin = mayStart && (
    <LinkButton look="primary" to={paths.newProductionKey(slug)}>
      Request a production key
    </LinkButton>
  )
  return (
    <div className="page">
      <PageHeader title="Production keys" action={rows.length > 0 || q !== '' ? begin : undefined}>
        A production key reads one practice’s records through the REST API. The practice sponsors you, both
        sides sign, and we review the request.
      </PageHeader>
      <Card id="before" title="Set up once, used in every request">
        <ul className="pad list">
          <li className="row between">
            <span>
              <b>Confirmed domain</b>
              <span className="sub">{domain ?? 'None yet. A request needs one.'}</span>
            </span>
            <Link to={`${paths.organization(slug)}/settings`}>
              {domain ? 'Settings' : 'Confirm a domain'}
            </Link>
          </li>
          <li className="row between">
            <span>
              <b>Security profile</b>
              <span className="sub">
                {profile ? (
                  <>
                    Updated by {profile.updatedBy}, <Moment at={profile.updatedAt} as="date" />
                  </>
                ) : (
                  'Not filled in yet. Every request includes it.'
                )}
              </span>
            </span>
            <Link to={paths.securityProfile(slug)}>{profile ? 'View or edit' : 'Fill it in'}</Link>
          </li>
          <li className="row between">
            <span>
              <b>Agreements</b>
              <span className="sub">You don’t sign agreements again while they are in force.</span>
            </span>
            <Link to={paths.agreements(slug)}>Agreements</Link>
          </li>
        </ul>
      </Card>
      {(q !== '' || listed.pages > 1) && <ListSearch label="Key name, prefix or practice" q={q} />}
      {rows.length === 0 && q !== '' ? (
        <p className="muted">No key matches “{q}”.</p>
      ) : rows.length === 0 ? (
        <EmptyState icon={KeyRound} title="No production key yet" action={begin || undefined}>
          Start when your integration works in the sandbox. You need a practice as your sponsor, two signed
          agreements, and a review of up to five business days.
        </EmptyState>
      ) : (
        <Card label="Production keys">
          <DataTable label="Production keys" heads={['Key', 'Practice', 'State', 'Expires']}>
            {rows.map((row) => (
              <Row key={row.id}>
                <Cell>
                  <Link className="label" to={paths.productionKey(slug, row.id)}>
                    {row.name || 'No name yet'}
                  </Link>
                  <span className="sub">
                    {levelWords[row.level]}
                    {row.renewal && ', renewal'}
                    {row.prefix && (
                      <>
                        , <code>{row.prefix}…</code>
                      </>
                    )}
                  </span>
                </Cell>
                <Cell label="Practice">{row.practiceName}</Cell>
                <Cell label="State">
                  <StateTag state={row.state} />
                </Cell>
                <Cell label="Expires">{row.expiresAt ? <Moment at={row.expiresAt} /> : 'No key yet'}</Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="production keys" listed={listed} />
        </Card>
      )}
    </div>
  )
}
