import { Link, useLoaderData } from '@remix-run/react'
import { type Listed, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { componentIds, components } from '../../../server/contract/status/components.ts'
import {
  affectedStates,
  incidentTemplates,
  incidentTextMax,
  openIncidentForm,
} from '../../../server/contract/status/incidents.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { ContractForm, Field, Select, TextArea } from '../../components/ui/form.tsx'
import { Cell, DataTable, ListSearch, Pager, Row } from '../../components/ui/list.tsx'
import { Card, PageHeader } from '../../components/ui/page-parts.tsx'
import { date, time } from '../../lib/dates.ts'
import { useRoot } from '../../lib/root-data.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { instantIn } from '../../lib/zone.ts'
import { actorOf, findStepUp, getSession, page, readerZone, requireStepUp } from '../../services.server.ts'
import { LockedCard } from '../../shared/sign-in/confirm-first.tsx'
import { IncidentTimes, kindWords, namesOf, StageTag } from '../../shared/status/status-incident.tsx'
import { affectedWords, StaffReason, staffReasonLabel } from './affected-fields.tsx'

export const meta = () => [{ title: 'Incidents and maintenance · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const query = new URL(args.request.url).searchParams
  const { open, past } = await args.context.services.status.listIncidents(session, {
    open: readPageAsk(query, { q: 'q', page: 'open-page' }),
    past: readPageAsk(query),
  })
  return {
    stepUp: findStepUp(args, session),
    /** The new incident's id, so that a form sent twice opens one incident. */
    id: crypto.randomUUID(),
    template: templateOf(query.get('template')),
    open,
    past,
  }
})

const templateOf = (name: string | null) =>
  name !== null && Object.hasOwn(incidentTemplates, name)
    ? incidentTemplates[name as keyof typeof incidentTemplates]
    : ({ kind: name === 'maintenance' ? 'maintenance' : 'incident' } as const)

export const action = page(async (args) => {
  const session = await getSession(args, 'staff')
  requireStepUp(args, session)
  return runForm(args.request, openIncidentForm, async (value) => {
    const at = (wall: Date | undefined) => wall && instantIn(readerZone(args), wall)
    const { status, clock } = args.context.services
    const { components, state, nextUpdate, reason = `Opened as “${value.title}”`, ...incident } = value
    const next = nextUpdate && new Date(clock().getTime() + nextUpdate * 60_000).toISOString()
    const { id } = await status.openIncident(
      {
        ...incident,
        text: next ? `${value.text} Next update by ${date(next, 'UTC')}, ${time(next, 'UTC')}.` : value.text,
        startsAt: at(value.startsAt),
        endsAt: at(value.endsAt),
        components: Object.fromEntries(components.map((component) => [component, state])),
        reason,
      },
      actorOf(args, session),
    )
    return goOn(paths.staffIncident(id), 'incident_opened')
  })
})

const labels = {
  title: 'Title',
  text: 'Public text',
  components: 'Components',
  state: 'How they are affected',
  nextUpdate: 'Next update by',
  startsAt: 'Start',
  endsAt: 'Planned end',
  reason: staffReasonLabel,
}

export default function Incidents() {
  const { stepUp, open, past } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Incidents and maintenance">
        Updates posted here are public. <a href={paths.status}>Status page</a>
      </PageHeader>
      {(past.q !== '' || open.pages > 1 || past.pages > 1) && <ListSearch label="Title" q={past.q} />}
      <IncidentTable
        label="Current and planned"
        listed={open}
        page="open-page"
        nothing={past.q === '' ? 'No open incidents.' : `No open incident matches “${past.q}”.`}
      />
      {stepUp === null ? <OpenForm /> : <LockedCard title="Report an incident or maintenance" to={stepUp} />}
      <IncidentTable
        label="Past"
        listed={past}
        page="page"
        nothing={past.q === '' ? 'No past incidents.' : `No past incident matches “${past.q}”.`}
      />
    </>
  )
}

interface IncidentTableProps {
  label: string
  listed: Listed<PublicIncident>
  /** The query parameter of the list's page. */
  page: string
  nothing: string
}

function IncidentTable({ label, listed, page: pageName, nothing }: IncidentTableProps) {
  const incidents = listed.rows
  return (
    <Card label={label}>
      <div className="head">
        <h2>{label}</h2>
      </div>
      {incidents.length === 0 ? (
        <p className="pad muted">{nothing}</p>
      ) : (
        <DataTable label={label} heads={['Title', 'Stage', 'When', 'Components']}>
          {incidents.map((incident) => (
            <Row key={incident.id}>
              <Cell>
                <Link to={paths.staffIncident(incident.id)}>{incident.title}</Link>
                <span className="sub">{kindWords[incident.kind]}</span>
              </Cell>
              <Cell label="Stage">
                <StageTag stage={incident.stage} />
              </Cell>
              <Cell label="When">
                <IncidentTimes incident={incident} />
              </Cell>
              <Cell label="Components">{namesOf(incident)}</Cell>
            </Row>
          ))}
        </DataTable>
      )}
      <Pager label={label} listed={listed} name={pageName} />
    </Card>
  )
}

function OpenForm() {
  const { id, template } = useLoaderData<typeof loader>()
  const { zone } = useRoot()
  const maintenance = template.kind === 'maintenance'
  return (
    <>
      <nav className="row small" aria-label="Start with">
        <Link to="?">Report an incident</Link>
        <Link to="?template=maintenance">Plan maintenance</Link>
        <span className="muted">Templates:</span>
        {Object.entries(incidentTemplates).map(([name, { title }]) => (
          <Link key={name} to={`?template=${name}`}>
            {title}
          </Link>
        ))}
      </nav>
      <ContractForm
        key={JSON.stringify(template)}
        title={maintenance ? 'Plan maintenance' : 'Report an incident'}
        optional={['startsAt', 'endsAt', 'state', 'nextUpdate', 'reason']}
        labels={labels}
        defaultValue={{ state: 'as_checked', ...template }}
        keepAs={`new ${template.kind}`}
        hidden={{ id, kind: template.kind }}
        button="Publish"
        busy="Publishing"
      >
        <Field name="title" />
        <TextArea name="text" rows={3} hint={`One paragraph of at most ${incidentTextMax} characters.`} />
        <Checkboxes
          name="components"
          options={componentIds.map((value) => ({ value, label: components[value].name }))}
        />
        {maintenance ? (
          <>
            <Field name="startsAt" hint={`Such as 2026-11-30 14:00, in the zone ${zone}.`} mono />
            <Field name="endsAt" hint={`In the zone ${zone}.`} mono />
          </>
        ) : (
          <>
            <Select
              name="state"
              options={affectedStates.map((value) => ({ value, label: affectedWords[value] }))}
            />
            <Select name="nextUpdate" options={nextUpdates} />
          </>
        )}
        <details>
          <summary>More options</summary>
          <div className="stack mt-2">
            {!maintenance && (
              <Field
                name="startsAt"
                hint={`If it began earlier: 2026-11-30 14:00, in the zone ${zone}.`}
                mono
              />
            )}
            <StaffReason />
          </div>
        </details>
      </ContractForm>
    </>
  )
}

const nextUpdates = [
  { value: '', label: 'no time promised' },
  { value: '30', label: '30 minutes from now' },
  { value: '60', label: '1 hour from now' },
  { value: '240', label: '4 hours from now' },
]
