import { Link, useLoaderData } from '@remix-run/react'
import { askedPath } from '../../../server/contract/lab/explorer-links.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { ChartList as ListedChart } from '../../../server/lab/sandbox/chart-view.ts'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { FlaskConical } from '../../components/ui/icons.ts'
import { Card, LinkButton, Tag, type Tone } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { nameOf } from './person-name.ts'
import { getLab } from './sandbox.server.ts'

export const meta = () => [{ title: 'Chart · Sandpiper' }]
export const handle = { here: 'Test / People / Chart' }

export const loader = page(async (args) => {
  const { organization, actor, sandbox } = await getLab(args)
  const patientId = args.params.patient ?? ''
  const chart = await sandbox.people.chart({ organizationId: organization.id, patientId }, actor)
  const facts = sandboxPeople.find(({ id }) => id === patientId)
  return {
    people: paths.sandboxPeople(organization.slug),
    signIns: paths.sandboxSignIns(organization.slug),
    chart,
    facts: facts ? { purpose: facts.purpose, logins: facts.logins } : null,
  }
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

const lists = [
  ['Problems', 'problems'],
  ['Medications', 'medications'],
  ['Allergies', 'allergies'],
  ['Vital signs', 'vitalSigns'],
  ['Laboratory', 'laboratory'],
  ['Immunizations', 'immunizations'],
  ['Procedures', 'procedures'],
  ['Visits', 'visits'],
  ['Documents', 'documents'],
] as const

export default function SandboxPerson() {
  const { chart, people, facts, signIns } = useLoaderData<typeof loader>()
  const { patient, practice } = chart
  const inExplorer = (type: string, id: string) =>
    `${paths.explorerFhir}?${new URLSearchParams({ practice, type, as: `patient:${patient.id}`, [askedPath]: `${type}/${id}` })}`
  const ccd = new URLSearchParams({ practice, 'p.id': patient.id })
  return (
    <div className="page">
      <section className="person" aria-label="Person">
        <div>
          <div className="row">
            <h1 className="breaks">{nameOf(patient)}</h1>
            <Tag tone="teal" icon={FlaskConical}>
              Synthetic
            </Tag>
          </div>
          <p className="muted">
            {patient.sex}, born {patient.birthDate ?? 'date unknown'}
            {patient.deceased && ', deceased'}. MRN <code>{patient.mrn ?? '–'}</code>
          </p>
          <p className="row">
            <code className="breaks">{patient.id}</code>
            <CopyButton text={patient.id} label="Copy ID" word="Copy ID" />
          </p>
        </div>
        <div className="row">
          <LinkButton to={inExplorer('Patient', patient.id)}>Open in the explorer</LinkButton>
          <LinkButton to={`${paths.explorerOperation('getCcda')}?${ccd}`}>Read the CCD</LinkButton>
          <LinkButton look="plain" to={people}>
            All people
          </LinkButton>
        </div>
      </section>
      {facts && (
        <p className="muted read">
          Use this person to test {facts.purpose}. The ID is the same in every sandbox.
        </p>
      )}
      <div className="grid main-aside">
        <div className="stack gap-5">
          {lists.map(([title, part]) => (
            <ChartList key={part} title={title} list={chart.lists[part]} to={inExplorer} />
          ))}
        </div>
        <aside aria-label="Sign-in">
          <SignIns logins={chart.logins} elsewhere={facts?.logins ?? []} signIns={signIns} />
        </aside>
      </div>
    </div>
  )
}

interface ChartListProps {
  title: string
  list: ListedChart
  to: (type: string, id: string) => string
}

/** The number of rows in view. The others are folded. */
const openRows = 8

/** One list of a chart, newest first, with links to the records; nothing if it is empty. */
function ChartList({ title, list: { items, total }, to }: ChartListProps) {
  if (total === 0) return null
  const shown =
    items.length < total
      ? `the newest ${items.length} of ${total}`
      : `${total} ${total === 1 ? 'entry' : 'entries'}`
  const rows = (entries: typeof items) => (
    <ul className="pad chart-list">
      {entries.map((item) => (
        <li key={`${item.type}/${item.id}`}>
          <div className="row between top flex-nowrap">
            <span className="label breaks">{item.title}</span>
            {item.status && <Tag tone={toneOf(item.status)}>{item.status}</Tag>}
          </div>
          <p className="small muted">
            {[item.detail, item.date?.slice(0, 10)].filter(Boolean).join(', ')}{' '}
            <Link to={to(item.type, item.id)}>
              {item.type}
              <span className="sr"> of {item.title}</span>
            </Link>
          </p>
        </li>
      ))}
    </ul>
  )
  return (
    <Card
      id={`list-${title.toLowerCase().replace(' ', '-')}`}
      title={title}
      aside={<span className="small muted">{shown}</span>}
    >
      {rows(items.slice(0, openRows))}
      {items.length > openRows && (
        <details>
          <summary className="pad">{items.length - openRows} more</summary>
          {rows(items.slice(openRows))}
        </details>
      )}
    </Card>
  )
}

function toneOf(status: string): Tone {
  return status === 'active' || status === 'in-progress' || status === 'current' ? 'teal' : 'quiet'
}

type SignInsProps = {
  signIns: string
  logins: Loaded['chart']['logins']
  elsewhere: readonly string[]
}

function SignIns({ logins, elsewhere, signIns }: SignInsProps) {
  return (
    <Card padded="tight" id="sign-ins" title="Sign-in">
      {logins.map(({ email, name, relationship }) => (
        <p key={email}>
          <code className="breaks">{email}</code>
          <span className="sub">
            {relationship === 'self' ? 'this person' : `${name}, as ${relationship}`}
          </span>
        </p>
      ))}
      {logins.length === 0 && (
        <p className="muted">
          No one can sign in for this person at your practice. <Link to={signIns}>See who can sign in</Link>
        </p>
      )}
      {elsewhere.length > 0 && logins.length === 0 && (
        <p className="muted">
          At the demonstration practice it is <code className="breaks">{elsewhere.join(', ')}</code>.
        </p>
      )}
    </Card>
  )
}
