import { Form, Link, useLoaderData } from '@remix-run/react'
import { limits } from '../../../server/contract/http/limits.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { operations } from '../../../server/contract/rest/operations.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Users } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Banner, Button, Card, EmptyState, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { nameOf } from './person-name.ts'
import { getLab } from './sandbox.server.ts'

export const meta = () => [{ title: 'Test people · Sandpiper' }]
export const handle = { here: 'Test / People' }

export const loader = page(async (args) => {
  const { organization, actor, sandbox } = await getLab(args)
  const { query, wrong } = readPeopleQuery(new URL(args.request.url))
  const { data, page } = await sandbox.people.list(organization.id, query, actor)
  const at = (offset: number) => {
    const { q, mrn, dob } = query
    const fields = Object.entries({ q, mrn, dob }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return `?${new URLSearchParams([...fields, ['offset', String(offset)]])}`
  }
  const purposes = new Map(sandboxPeople.map(({ id, purpose }) => [id, purpose]))
  return {
    query,
    wrong,
    people: data.map((person) => ({
      ...person,
      to: paths.sandboxPerson(organization.slug, person.id),
      purpose: purposes.get(person.id) ?? null,
    })),
    earlier: query.offset > 0 ? at(Math.max(0, query.offset - query.limit)) : null,
    later:
      page.hasMore && query.offset + query.limit <= limits.offsetMax ? at(query.offset + query.limit) : null,
  }
})

export default function SandboxPeople() {
  const { people, query, wrong, earlier, later } = useLoaderData<typeof loader>()
  const given = Boolean(query.q || query.mrn || query.dob)
  return (
    <div className="page">
      <PageHeader title="People">
        The patients of your sandbox, in the order of <code>GET /patients</code> . All are synthetic.
      </PageHeader>
      {wrong && <Banner tone="bad" title={wrong} />}
      <Filter query={query} given={given} />
      {people.length === 0 ? (
        <EmptyState icon={Users} title="No matching people">
          {given
            ? 'Enter the start of a name or birth date, such as 1971 or 1971-04. Try fewer criteria.'
            : 'No more people.'}
        </EmptyState>
      ) : (
        <Card label="List">
          <DataTable label="People of the sandbox" heads={['Name', 'Born', 'MRN', 'ID']}>
            {people.map((person) => (
              <Row key={person.id}>
                <Cell>
                  <Link className="label breaks" to={person.to}>
                    {nameOf(person)}
                  </Link>
                  <span className="sub">{person.purpose ?? sexOf(person.sex)}</span>
                </Cell>
                <Cell label="Born" className="whole">
                  {person.birthDate ?? 'Unknown'}
                </Cell>
                <Cell label="MRN" className="whole">
                  <code>{person.mrn ?? '–'}</code>
                </Cell>
                <Cell label="ID">
                  <CopyCode row text={person.id} label={`Copy the ID of ${nameOf(person)}`} />
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

function Filter({ query, given }: { query: { q?: string; mrn?: string; dob?: string }; given: boolean }) {
  const fields = [
    ['q', 'Name', 'testw', query.q],
    ['dob', 'Born', '1971-04', query.dob],
    ['mrn', 'MRN', 'SYN-004217', query.mrn],
  ] as const
  return (
    <Form method="get" className="card pad filter people" role="search" aria-label="Find people">
      {fields.map(([name, label, placeholder, value]) => (
        <label className="field" key={name}>
          <span className="label">{label}</span>
          <input
            className={name === 'mrn' ? 'input mono' : 'input'}
            name={name}
            defaultValue={value ?? ''}
            placeholder={placeholder}
          />
        </label>
      ))}
      <div className="row">
        <Button type="submit">Find</Button>
        {given && (
          <LinkButton look="plain" to="?">
            Clear
          </LinkButton>
        )}
      </div>
    </Form>
  )
}

function sexOf(sex: string): string {
  return sex === 'unknown' ? 'Sex unknown' : `${sex.charAt(0).toUpperCase()}${sex.slice(1)}`
}

/** The query of the list of people: the REST operation's own, with what it would refuse left out and said. */
type Query = ReturnType<typeof operations.listPatients.query.parse>

const names = ['q', 'mrn', 'dob', 'offset'] as const

/** Fields that were left empty are none. */
function readPeopleQuery(url: URL): { query: Query; wrong: string | null } {
  const given = Object.fromEntries(
    names.flatMap((name) => {
      const value = url.searchParams.get(name)?.trim()
      if (!value) return []
      return [[name, name === 'offset' ? Number(value) : value]]
    }),
  )
  const { query } = operations.listPatients
  const read = query.safeParse(given)
  if (read.success) return { query: read.data, wrong: null }
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  return {
    query: query.parse({}),
    wrong: `The search was not understood, so everyone is listed. ${wrong}.`,
  }
}
