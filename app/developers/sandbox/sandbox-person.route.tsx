import { Link, useLoaderData } from '@remix-run/react'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Series } from '../../../server/lab/sandbox/series.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { FlaskConical } from '../../components/ui/icons.ts'
import { Card, LinkButton, Tag } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { ChartList, SeriesCard } from './charts.tsx'
import { nameOf } from './person-name.ts'
import { basesOf, getLab } from './sandbox.server.ts'

export const meta = () => [{ title: 'Chart · Sandpiper' }]
export const handle = { here: 'Test / People / Chart' }

export const loader = page(async (args) => {
  const { organization, actor, sandbox } = await getLab(args)
  const patientId = args.params.patient ?? ''
  const chart = await sandbox.people.chart({ organizationId: organization.id, patientId }, actor)
  const facts = sandboxPeople.find(({ id }) => id === patientId)
  return {
    self: paths.sandboxPerson(organization.slug, patientId),
    people: paths.sandboxPeople(organization.slug),
    signIns: paths.sandboxSignIns(organization.slug),
    bases: basesOf(args.context, chart.practice),
    chart,
    facts: facts ? { purpose: facts.purpose, logins: facts.logins } : null,
  }
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

const lists = [
  ['Problems', 'problems'],
  ['Medications', 'medications'],
  ['Allergies', 'allergies'],
  ['Immunizations', 'immunizations'],
  ['Procedures', 'procedures'],
  ['Visits', 'visits'],
  ['Documents', 'documents'],
] as const

export default function SandboxPerson() {
  const { chart, self, people, bases, facts, signIns } = useLoaderData<typeof loader>()
  const { patient, laboratory, vitalSigns } = chart
  const resourceTo = (type: string, id: string) => `${self}/resources?${new URLSearchParams({ type, id })}`
  const observationTo = (id: string) => resourceTo('Observation', id)
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
            <CopyButton text={patient.id} label="Copy id" word="Copy id" />
          </p>
        </div>
        <div className="row">
          <LinkButton to={`${self}/resources?type=Patient`}>Raw JSON</LinkButton>
          <a className="btn" href={`${self}/ccd`}>
            Read the CCD
          </a>
          <a className="btn" href={`${self}/ccd?as=xml`} download={`${patient.id}.xml`}>
            CCD as XML
          </a>
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
      <Measurements title="Vital signs" series={vitalSigns} resourceTo={observationTo} />
      <Measurements title="Laboratory" series={laboratory} resourceTo={observationTo} />
      <div className="grid main-aside">
        <div className="stack gap-5">
          {lists.map(([title, part]) => (
            <ChartList key={part} title={title} list={chart.lists[part]} resourceTo={resourceTo} />
          ))}
        </div>
        <aside className="stack gap-5" aria-label="More records">
          <SignIns logins={chart.logins} elsewhere={facts?.logins ?? []} signIns={signIns} />
          <ReadIt id={patient.id} bases={bases} />
        </aside>
      </div>
    </div>
  )
}

type MeasurementsProps = {
  title: string
  series: readonly Series[]
  resourceTo: (id: string) => string
}

/** The twelve latest measurements. A link leads to the rest. */
const openSeries = 8

function Measurements({ title, series, resourceTo }: MeasurementsProps) {
  if (series.length === 0) return null
  const id = title.toLowerCase().replace(' ', '-')
  const cards = (some: readonly Series[]) => (
    <div className="vitals">
      {some.map((each) => (
        <SeriesCard key={each.key} series={each} resourceTo={resourceTo} />
      ))}
    </div>
  )
  return (
    <Card id={id} title={title}>
      {cards(series.slice(0, openSeries))}
      {series.length > openSeries && (
        <details>
          <summary className="pad">{series.length - openSeries} more</summary>
          {cards(series.slice(openSeries))}
        </details>
      )}
      <footer>Shaded: the reference range. Based on the newest 500 observations of the category.</footer>
    </Card>
  )
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

function ReadIt({ id, bases }: { id: string; bases: { fhir: string; rest: string } }) {
  const rest = `${bases.rest}/patients/${id}`
  const fhir = `${bases.fhir}/Patient/${id}`
  return (
    <section className="stack tight" aria-label="URLs">
      <CodeBlock label="REST URL" bar="REST" copy={rest} wrapped>
        {rest}
      </CodeBlock>
      <CodeBlock label="FHIR URL" bar="FHIR" copy={fhir} wrapped>
        {fhir}
      </CodeBlock>
    </section>
  )
}
