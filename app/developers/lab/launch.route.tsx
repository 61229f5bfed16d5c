import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { launchForm } from '../../../server/contract/forms/lab.ts'
import {
  type LaunchFault,
  launchFaultNames,
  launchFaultRow,
} from '../../../server/contract/lab/launch-faults.ts'
import {
  type LaunchKind,
  launchKindNames,
  launchKindRow,
  launchSignInNames,
  launchSignIns,
} from '../../../server/contract/lab/launch-lab.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Check, Choices } from '../../components/ui/choice.tsx'
import { ChoiceSearch, choiceHint, choiceSearchName } from '../../components/ui/choice-search.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { ContractForm, Field, Select } from '../../components/ui/form.tsx'
import { Rocket } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../../components/ui/list.tsx'
import { Banner, Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Launch simulator · Sandpiper' }]
export const handle = { here: 'Test / Launch simulator' }

export const loader = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { clients, launchLab } = args.context.services
  const lab = paths.lab(organization.slug)
  const mayStart = organization.role !== 'viewer'
  const query = new URL(args.request.url).searchParams
  const find = readPageAsk(query, { q: choiceSearchName, page: 'none' })
  const apps = await clients.listPage(organization.id, find, actor, {
    environment: 'sandbox',
    state: 'active',
    withoutIds: ['example-'],
  })
  const { patients, clinicians } = await launchLab.choices(organization.id, actor)
  const launches = await launchLab.list(organization.id, actor, readPageAsk(query))
  const toOptions = (people: readonly { id: string; name: string }[]) =>
    people.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))
  const appOptions = apps.rows.map(({ clientId, name, audience }) => ({
    value: clientId,
    label: `${name} (${audience})`,
  }))
  const options = {
    kinds: launchKindNames.map((kind) => ({
      value: kind,
      label: launchKindRow(kind).title,
      sub: launchKindRow(kind).sub,
    })),
    signIns: launchSignInNames.map((signIn) => ({
      value: signIn,
      label: launchSignIns[signIn].title,
      sub: launchSignIns[signIn].sub,
    })),
    apps: { total: apps.total, q: apps.q, rows: appOptions },
    patients: toOptions(patients),
    clinicians: toOptions(clinicians),
    faults: [
      { value: 'none', label: 'None' },
      ...launchFaultNames.map((fault) => ({ value: fault, label: launchFaultRow(fault).title })),
    ],
  }
  return {
    lab,
    newApp: paths.newRegistration(organization.slug),
    options,
    mayStart,
    launches: { ...launches, rows: launches.rows.map(({ steps: _steps, ...launch }) => launch) },
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  return runForm(args.request, launchForm, async (value, submission) => {
    const { kind, app, signIn, patient, clinician, encounter, intent, banner, fault } = value
    const started = await args.context.services.launchLab.start(
      {
        organizationId: organization.id,
        kind: kind as LaunchKind,
        app,
        signIn,
        patientId: patient,
        practitionerId: clinician,
        encounterId: encounter,
        intent,
        needPatientBanner: banner,
        fault: fault === 'none' ? null : (fault as LaunchFault),
      },
      actor,
    )
    const { launch } = paths.lab(organization.slug)
    const { id, iss, url } = started
    return data({
      lastResult: submission.sent,
      started: {
        iss,
        url,
        launch: started.launch,
        log: `${launch}/${id}`,
        signIns: signIn === 'on_page' ? paths.sandboxSignIns(organization.slug) : null,
      },
    })
  })
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function Launch() {
  const { lab, newApp, options, mayStart, launches } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const started = (answer as { started?: StartedProps } | undefined)?.started
  const hasApps = options.apps.total > 0 || options.apps.q !== ''
  return (
    <div className="page">
      <PageHeader title="Launch simulator">
        Start a real launch through the authorization server, at your own sandbox. Each launch works once,
        within ten minutes, for the app you choose.
      </PageHeader>
      {started && <Started {...started} />}
      {hasApps && mayStart && (
        <>
          <ChoiceSearch label="Find an app" offered={options.apps} />
          <LaunchForm key={options.apps.q} options={options} />
        </>
      )}
      <SearchedList
        listed={launches}
        search="App name"
        one="launch"
        icon={Rocket}
        title={hasApps ? 'No launches yet' : 'No app yet'}
        empty={
          hasApps ? (
            'The log of a launch explains every step.'
          ) : (
            <>
              A launch opens one of your apps. <Link to={newApp}>Create an app</Link> first.
            </>
          )
        }
      >
        <Launches launches={launches.rows} base={lab.launch} />
        <Pager label="launches" listed={launches} />
      </SearchedList>
    </div>
  )
}

const labels = {
  kind: 'Launch type',
  app: 'App',
  signIn: 'Person signing in',
  patient: 'Patient',
  clinician: 'Clinician',
  encounter: 'Visit',
  intent: 'Intent',
  banner: 'Banner',
  fault: 'Simulated fault',
}

/** Fields for every kind of launch. Those that the chosen kind doesn't use are ignored. */
function LaunchForm({ options }: Pick<Loaded, 'options'>) {
  return (
    <ContractForm
      optional={['signIn', 'patient', 'clinician', 'encounter', 'intent', 'banner', 'fault']}
      labels={labels}
      defaultValue={{
        kind: 'ehr',
        app: options.apps.rows[0]?.value,
        patient: options.patients[0]?.value,
        clinician: options.clinicians[0]?.value,
        signIn: 'at_once',
        fault: 'none',
        banner: 'on',
      }}
      button="Launch"
      busy="Launching"
    >
      <Choices name="kind" options={options.kinds} />
      <Select name="app" options={options.apps.rows} hint={choiceHint(options.apps, 'apps')} />
      <Choices name="signIn" options={options.signIns} />
      <Select
        name="patient"
        options={options.patients}
        hint="The open chart. In patient launches, also the person who is signed in automatically. Not used for systems."
      />
      <Select
        name="clinician"
        options={options.clinicians}
        hint="The person who is signed in automatically in clinician launches."
      />
      <Field
        name="encounter"
        mono
        hint="A visit ID of the patient, or empty. For launches from a chart or portal."
      />
      <Field
        name="intent"
        mono
        hint="A short word the app understands, such as reconcile-medications, or empty."
      />
      <Check name="banner">The app must show the patient’s name (need_patient_banner)</Check>
      <Select
        name="fault"
        options={options.faults}
        hint="Applies once, in this launch only. The guide describes each fault."
      />
    </ContractForm>
  )
}

interface StartedProps {
  iss: string
  url: string | null
  launch: string | null
  log: string
  /** The page with the addresses and the password; null if no one has to sign in. */
  signIns: string | null
}

function Started({ iss, url, launch, log, signIns }: StartedProps) {
  return (
    <>
      <Banner tone="turn" title={launch === null ? 'Open your app now.' : 'Open the app.'}>
        {launch === null
          ? 'Its next authorize request, or a system’s next token request, belongs to this launch. '
          : 'The link works once, within ten minutes. '}
        {url !== null && (
          <a href={url} target="_blank" rel="noreferrer">
            Open app
          </a>
        )}{' '}
        <Link to={log}>View log</Link>
        {signIns !== null && (
          <>
            {' '}
            The app opens the sign-in page. <Link to={signIns}>Who can sign in</Link>
          </>
        )}
      </Banner>
      <CodeBlock label="The app’s launch parameters" wrapped>
        {launch === null ? `iss=${iss}` : `iss=${iss}\nlaunch=${launch}`}
      </CodeBlock>
    </>
  )
}

type ListedLaunch = Loaded['launches']['rows'][number]

function Launches({ launches, base }: { launches: readonly ListedLaunch[]; base: string }) {
  return (
    <Card title="Launches">
      <DataTable label="Launches" heads={['App', 'Kind', 'Simulated fault', 'Started', 'State']}>
        {launches.map(({ id, kind, fault, appName, startedAt, open }) => (
          <Row key={id}>
            <Cell>
              <Link to={`${base}/${id}`}>{appName}</Link>
            </Cell>
            <Cell label="Kind">{launchKindRow(kind).title}</Cell>
            <Cell label="Simulated fault">{fault === null ? 'Nothing' : launchFaultRow(fault).title}</Cell>
            <Cell label="Started">
              <Moment at={startedAt} />
            </Cell>
            <Cell label="State">{open ? 'Waiting for the app' : 'Used or expired'}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
