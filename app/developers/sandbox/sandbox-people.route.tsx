import { Link, useLoaderData } from '@remix-run/react'
import { limits } from '../../../server/contract/http/limits.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Users } from '../../components/ui/icons.ts'
import { Cell, DataTable, ListSearch, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { nameOf } from './person-name.ts'
import { getLab } from './sandbox.server.ts'

export const meta = () => [{ title: 'Test people · Sandpiper' }]
export const handle = { here: 'Test / People' }

const pageRows = 25

export const loader = page(async (args) => {
  const { organization, actor, sandbox } = await getLab(args)
  const params = new URL(args.request.url).searchParams
  const { q } = readPageAsk(params)
  const requestedOffset = Math.trunc(Number(params.get('offset')))
  const offset = requestedOffset > 0 && requestedOffset <= limits.offsetMax ? requestedOffset : 0
  const query = { q: q === '' ? undefined : q, limit: pageRows, offset }
  const { data, page } = await sandbox.people.list(organization.id, query, actor)
  const pathAt = (from: number) =>
    `?${new URLSearchParams({ ...(q !== '' && { q }), offset: String(Math.max(0, from)) })}`
  const purposes = new Map(sandboxPeople.map(({ id, purpose }) => [id, purpose]))
  return {
    q,
    people: data.map((person) => ({
      ...person,
      to: paths.sandboxPerson(organization.slug, person.id),
      purpose: purposes.get(person.id) ?? null,
    })),
    earlier: offset > 0 ? pathAt(offset - pageRows) : null,
    later: page.hasMore && offset + pageRows <= limits.offsetMax ? pathAt(offset + pageRows) : null,
  }
})

export default function SandboxPeople() {
  const { people, q, earlier, later } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="People">
        The patients of your sandbox, in the order of <code>GET /patients</code>. All are synthetic.
      </PageHeader>
      <ListSearch label="Name" q={q} />
      {people.length === 0 ? (
        <EmptyState icon={Users} title="No matching people">
          {q === '' ? 'No more people.' : 'Enter the start of a name.'}
        </EmptyState>
      ) : (
        <Card label="List">
          <DataTable dense label="People of the sandbox" heads={['Name', 'Born', 'ID', 'MRN']}>
            {people.map((person) => (
              <Row key={person.id}>
                <Cell>
                  <Link className="label breaks" to={person.to}>
                    {nameOf(person)}
                  </Link>
                  {person.purpose && <span className="sub">{person.purpose}</span>}
                </Cell>
                <Cell className="whole">{person.birthDate ?? 'Unknown'}</Cell>
                <Cell className="whole">
                  <CopyCode row text={person.id} label={`Copy the ID of ${nameOf(person)}`} />
                </Cell>
                <Cell className="whole">
                  <code>{person.mrn ?? '–'}</code>
                </Cell>
              </Row>
            ))}
          </DataTable>
          {(earlier || later) && (
            <footer className="row between">
              {earlier ? (
                <LinkButton size="sm" to={earlier}>
                  Previous
                </LinkButton>
              ) : (
                <span />
              )}
              {later && (
                <LinkButton size="sm" to={later}>
                  Next
                </LinkButton>
              )}
            </footer>
          )}
        </Card>
      )}
    </div>
  )
}
