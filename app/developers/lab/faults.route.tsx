import { Form, Link, useLoaderData } from '@remix-run/react'
import { faultSpans, faultSwitchForm } from '../../../server/contract/forms/lab.ts'
import { faultCodes, faultHeader, faultRow, interfaceNames } from '../../../server/contract/lab/faults.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Check } from '../../components/ui/choice.tsx'
import {
  ChoiceSearch,
  choiceHint,
  choiceSearchName,
  type Offered,
} from '../../components/ui/choice-search.tsx'
import { CodedText } from '../../components/ui/coded-text.tsx'
import { ContractForm, Field, Select } from '../../components/ui/form.tsx'
import { FlaskConical } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader, SubmitButton, Tag } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Fault Lab · Sandpiper' }]
export const handle = { here: 'Test / Fault Lab' }

export const loader = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { faultAdmin } = args.context.services
  const mine = { organizationId: organization.id }
  const query = new URL(args.request.url).searchParams
  const { q } = readPageAsk(query, { q: choiceSearchName, page: 'none' })
  return {
    targets: await faultAdmin.targets(mine, q, actor),
    switches: await faultAdmin.list(mine, actor),
    maySwitch: organization.role !== 'viewer',
    slug: organization.slug,
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { faultAdmin } = args.context.services
  const organizationId = organization.id
  const here = paths.lab(organization.slug).faults
  const fields = await readFields(args.request)
  const stop = fields.get('stop')
  if (typeof stop === 'string') {
    await faultAdmin.switchOff({ organizationId, id: stop }, actor)
    return goOn(here, 'faults_off')
  }
  return runForm(fields, faultSwitchForm, async (value) => {
    await faultAdmin.switchOn({ organizationId, ...value }, actor)
    return goOn(here, 'faults_on')
  })
})

const labels = {
  target: 'Key or app',
  script: 'Faults',
  repeats: 'Repeat',
  minutes: 'Duration',
}

export default function Faults() {
  const { targets, switches, maySwitch, slug } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="Fault Lab">
        Simulate errors for one key or app, for a limited time. Production is never affected. For a single
        request, send <code>{faultHeader}</code> with one of the faults below.
      </PageHeader>
      {targets.total === 0 && targets.q === '' ? (
        <EmptyState icon={FlaskConical} title="No sandbox key or app yet">
          You can enable faults for this organization’s sandbox keys and apps. First request a key or register
          an app.
        </EmptyState>
      ) : (
        maySwitch && (
          <>
            <ChoiceSearch label="Find a key or app" offered={targets} />
            <SwitchForm key={targets.q} targets={targets} />
          </>
        )
      )}
      <FaultSwitches switches={switches} mayStop={maySwitch} slug={slug} />
      <FaultTable />
    </div>
  )
}

function SwitchForm({ targets }: { targets: Offered }) {
  return (
    <ContractForm
      optional={['repeats']}
      labels={labels}
      defaultValue={{ target: targets.rows[0]?.value, script: '429*2, ok, 503', minutes: '60' }}
      button="Enable faults"
      busy="Enabling"
    >
      <Select name="target" options={targets.rows} hint={choiceHint(targets, 'keys and apps')} />
      <Field
        name="script"
        mono
        spellCheck={false}
        hint="Faults in order, one per request: 429*2, ok, 503;retry-after=10. A step waits for a request it applies to."
      />
      <Check name="repeats">Start over after the last step, until the time is up</Check>
      <Select
        name="minutes"
        options={faultSpans.map(({ minutes, label }) => ({ value: String(minutes), label }))}
      />
    </ContractForm>
  )
}

type ShownSwitch = ReturnType<typeof useLoaderData<typeof loader>>['switches'][number]

/** What is on and what was, each with the calls of its key or app. */
function FaultSwitches({
  switches,
  mayStop,
  slug,
}: {
  switches: readonly ShownSwitch[]
  mayStop: boolean
  slug: string
}) {
  if (switches.length === 0)
    return (
      <EmptyState icon={FlaskConical} title="No simulated errors yet">
        Enable a fault, run your client against the sandbox, and see in its logs how it responded.
      </EmptyState>
    )
  return (
    <div className="stack">
      {switches.map((each) => (
        <Card key={each.id} label={`Faults for ${each.label}`}>
          <header className="row between">
            <h2>{each.label}</h2>
            <Tag tone={each.on ? 'turn' : 'quiet'}>{each.on ? 'Active' : 'Ended'}</Tag>
          </header>
          <div className="pad stack tight">
            <p>
              <code>{each.steps.join(', ')}</code>
              {each.repeats ? ', repeating' : ''}
            </p>
            <p className="hint">
              {each.taken === 1 ? '1 step' : `${each.taken} steps`} applied. Since{' '}
              <Moment at={each.startedAt} />, {each.on ? 'ends' : 'until'} <Moment at={each.endsAt} />.
            </p>
            <Link to={paths.logs(slug, { caller: each.caller })}>View calls</Link>
          </div>
          {each.on && mayStop && (
            <footer>
              <Form method="post">
                <input type="hidden" name="stop" value={each.id} />
                <SubmitButton look="danger" size="sm" busy="Disabling">
                  Disable
                </SubmitButton>
              </Form>
            </footer>
          )}
        </Card>
      ))}
    </div>
  )
}

/** Every fault, with what a client should do about it. */
function FaultTable() {
  return (
    <Card title="Available faults">
      <DataTable label="Faults" heads={['Code', 'Effect', 'Where', 'Expected behavior']}>
        {faultCodes.map((code) => {
          const { does, client, interfaces, value } = faultRow(code)
          return (
            <Row key={code}>
              <Cell>
                <code>{value ? `${code};${value.name}=${value.usual}` : code}</code>
              </Cell>
              <Cell label="Effect">
                <CodedText>{does}</CodedText>
              </Cell>
              <Cell label="Where">{interfaces.map((each) => interfaceNames[each]).join(', ')}</Cell>
              <Cell label="Expected behavior">
                <CodedText>{client}</CodedText>
              </Cell>
            </Row>
          )
        })}
      </DataTable>
    </Card>
  )
}
