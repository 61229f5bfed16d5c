import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { pageOf, readPageAsk } from '../../server/contract/portal/paging.ts'
import { CopyButton } from '../components/ui/copy-button.tsx'
import { Building2 } from '../components/ui/icons.ts'
import { Cell, DataTable, ListSearch, Pager, Row } from '../components/ui/list.tsx'
import { Card, EmptyState, PageHeader, Tabs } from '../components/ui/page-parts.tsx'
import { findSession, page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

export const meta = () => [
  { title: 'Practice directory · Sandpiper' },
  { name: 'description', content: 'The FHIR base URL of every practice that admits apps.' },
]

const question = z.object({
  environment: z.enum(['production', 'sandbox']).catch('production'),
})

export const loader = page(async (args) => {
  const { request, context } = args
  const { env, directory } = context.services
  const query = new URL(request.url).searchParams
  const { environment } = question.parse(Object.fromEntries(query))
  const ask = readPageAsk(query)
  const { q } = ask
  const session = await findSession(args, 'developer')
  const accountId = session && session.mfaState !== 'needed' ? session.accountId : null
  const { rows: practices, ...listed } = pageOf(ask, await directory.search(environment, q, accountId))
  return {
    q,
    listed,
    environment,
    signedIn: accountId !== null,
    bundle: `${env.FHIR_ORIGIN}/r4/endpoints${environment === 'sandbox' ? '/sandbox' : ''}`,
    practices: practices.map(({ slug, name, npi, address, phone }) => ({
      slug,
      name,
      npi,
      phone,
      address: address && {
        street: address.lines.join(', '),
        place: [address.city, [address.state, address.postalCode].filter(Boolean).join(' ')]
          .filter(Boolean)
          .join(', '),
      },
      base: `${env.FHIR_ORIGIN}/r4/${slug}`,
    })),
  }
})

export default function Directory() {
  const { q, listed, environment, bundle, practices, signedIn } = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap sec stack gap-5">
        <PageHeader title="Practice directory">
          Find the FHIR base URL of each practice. Its patients and clinicians decide which apps may read
          records. Every base URL serves <code>metadata</code> without a token.
        </PageHeader>
        <Tabs
          label="Practice type"
          tabs={[
            { to: '?', label: 'Production', current: environment === 'production' },
            { to: '?environment=sandbox', label: 'Sandbox', current: environment === 'sandbox' },
          ]}
        />
        <ListSearch label="Name, NPI or postal code" q={q} />
        {practices.length > 0 ? (
          <Card>
            <DataTable label="Practices" heads={['Practice', 'Address', 'FHIR base URL']}>
              {practices.map((practice) => (
                <PracticeRow key={practice.slug} practice={practice} />
              ))}
            </DataTable>
            <Pager label="practices" listed={listed} />
          </Card>
        ) : (
          <EmptyState icon={Building2} title={q === '' ? 'No practice yet' : 'No matching practices'}>
            {q === ''
              ? 'Practices appear here when they admit apps.'
              : 'Search for words in the name, the full NPI, or the start of the postal code.'}
          </EmptyState>
        )}
        {environment === 'sandbox' && signedIn && (
          <p className="small muted">Your organization’s own sandbox is listed only for its members.</p>
        )}
        <p className="small muted">
          For programs, the same list is available as a Bundle with the User-access Brands profile:{' '}
          <a className="breaks" href={bundle}>
            {bundle}
          </a>
        </p>
      </div>
    </PublicFrame>
  )
}

type Listed = ReturnType<typeof useLoaderData<typeof loader>>['practices'][number]

function PracticeRow({ practice: { name, npi, phone, address, base } }: { practice: Listed }) {
  return (
    <Row>
      <Cell>
        <b>{name}</b>
        {npi !== null && <span className="sub">NPI {npi}</span>}
      </Cell>
      <Cell label="Address">
        {address === null ? (
          <span className="muted">Not available</span>
        ) : (
          <>
            {address.street}
            <span className="sub">{address.place}</span>
          </>
        )}
        {phone !== null && <span className="sub">{phone}</span>}
      </Cell>
      <Cell label="FHIR base URL">
        <code className="breaks">{base}</code>
        <CopyButton text={base} label={`Copy the FHIR base URL of ${name}`} />
      </Cell>
    </Row>
  )
}
