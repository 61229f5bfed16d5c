import { Link, useLoaderData } from '@remix-run/react'
import {
  networkForms,
  reportMonths,
  unknownCountry,
  useDays,
} from '../../../server/contract/portal/access-use.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { DownloadButtons } from '../../components/ui/download-buttons.tsx'
import { Field, Select } from '../../components/ui/form.tsx'
import { ChartColumn } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../../components/ui/list.tsx'
import { Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { recordDate } from '../../lib/dates.ts'
import { runAction } from '../../lib/submission.server.ts'
import { here, page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Use of keys and apps · Sandpiper' }]

export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { accessUse, clock } = args.context.services
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const [listed, networks] = await Promise.all([
    accessUse.list({ practiceId: practice.id, ask }, actor),
    accessUse.networks(practice.id, actor),
  ])
  return {
    practice: { slug: practice.slug, name: practice.name },
    listed,
    networks,
    months: reportMonths(clock()),
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { accessUse } = args.context.services
  return runAction(
    args,
    networkForms,
    {
      name: (input) => accessUse.nameNetwork({ practiceId: practice.id, ...input }, actor),
      forget: (input) => accessUse.forgetNetwork({ practiceId: practice.id, ...input }, actor),
    },
    {
      to: (intent) => ({
        path: here(args.request),
        done: intent === 'name' ? 'network_named' : 'network_forgotten',
      }),
    },
  )
})

const n = (count: number) => count.toLocaleString('en-US')

export default function PracticeUse() {
  const { practice, listed } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Use of keys and apps">
        What each key, system and app did with records of {practice.name} in the last {useDays} days, today
        included. Days begin at midnight UTC.
      </PageHeader>
      <Refusal />
      <SearchedList
        listed={listed}
        search="Key, app or organization"
        one="key or app"
        icon={ChartColumn}
        title="No calls yet"
        empty="Keys, systems and apps are listed here once they call the API."
      >
        <Card title="Keys and apps">
          <DataTable
            label="Use of keys and apps"
            heads={[
              'Name',
              'Calls',
              'Refused',
              'Not found',
              'Patients, busiest day',
              'Networks',
              'Last used',
            ]}
          >
            {listed.rows.map((use) => (
              <Row key={`${use.kind} ${use.id}`}>
                <Cell>
                  <Link
                    className="label"
                    to={`${paths.practiceUseOf(use.kind, use.id)}?${new URLSearchParams({ practice: practice.slug })}`}
                  >
                    {use.name}
                  </Link>
                  <span className="sub">
                    {use.organizationName}, {use.label.toLowerCase()}
                  </span>
                </Cell>
                <Cell label="Calls">{n(use.figures.calls)}</Cell>
                <Cell label="Refused">{n(use.refused)}</Cell>
                <Cell label="Not found">{n(use.figures.notFound)}</Cell>
                <Cell label="Patients, busiest day">{n(use.figures.patients)}</Cell>
                <Cell label="Networks">{n(use.sources.length)}</Cell>
                <Cell label="Last used">
                  {use.figures.lastAt ? <Moment at={use.figures.lastAt} /> : 'Never (all calls refused)'}
                </Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="keys and apps" listed={listed} />
        </Card>
      </SearchedList>
      <div className="stack gap-5">
        <Report />
        <Networks />
      </div>
    </>
  )
}

function Report() {
  const { practice, months } = useLoaderData<typeof loader>()
  const [, last = ''] = months
  return (
    <Card padded title="Report of a month">
      <form method="get" action={paths.practiceUseFile} className="stack">
        <input type="hidden" name="practice" value={practice.slug} />
        <Select
          name="month"
          label="Month"
          value={last}
          options={months.map((month) => ({ value: month, label: recordDate(month) }))}
        />
        <DownloadButtons />
      </form>
    </Card>
  )
}

function Networks() {
  const { networks, onceKey } = useLoaderData<typeof loader>()
  return (
    <>
      {networks.length > 0 && (
        <Card title="Names of networks">
          <DataTable label="Names of networks" heads={['Network', 'Name', 'Country']} act="Actions">
            {networks.map(({ network, label, country }) => (
              <Row key={network}>
                <Cell>
                  <code>{network}</code>
                </Cell>
                <Cell label="Name">{label}</Cell>
                <Cell label="Country">{country ?? unknownCountry}</Cell>
                <Cell className="act">
                  <ActionForm
                    className="inline"
                    intent="forget"
                    row={{ name: 'network', id: network }}
                    version={0}
                    onceKey={`${onceKey}-${network}`}
                    size="sm"
                    button="Remove"
                    about={`the name of ${network}`}
                  />
                </Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
      )}
      <ActionForm
        intent="name"
        version={0}
        onceKey={onceKey}
        title="Name a network"
        text="A name and country make a caller’s network easier to recognize. Countries aren’t looked up: the ones you enter are shown."
        button="Save network"
        busy="Saving"
      >
        <div className="grid g3">
          <Field
            name="network"
            label="Network"
            hint="An address, or a network such as 203.0.113.0/24."
            mono
            required
          />
          <Field
            name="label"
            label="Name"
            hint="For example: Samplewood data center."
            maxLength={60}
            required
          />
          <Field name="country" label="Country" hint="Two letters, such as US. Optional." maxLength={2} />
        </div>
      </ActionForm>
    </>
  )
}
