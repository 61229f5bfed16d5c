import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { faultSpans, faultSwitchForm } from '../../../server/contract/forms/lab.ts'
import { faultHeader } from '../../../server/contract/lab/faults.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Check } from '../../components/ui/choice.tsx'
import {
  ChoiceSearch,
  choiceHint,
  choiceSearchName,
  type Offered,
} from '../../components/ui/choice-search.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Field, Select } from '../../components/ui/field.tsx'
import { FlaskConical } from '../../components/ui/icons.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { goOn, readFields, runForm } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { FaultSwitches } from './fault-switches.tsx'
import { FaultTable } from './fault-table.tsx'
import { LabLinks } from './lab-links.tsx'

export const meta: MetaFunction = () => [{ title: 'Fault Lab · Sandpiper' }]
export const handle = { here: 'Sandbox / Fault Lab' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { faultAdmin } = args.context.services
  const mine = { organizationId: organization.id }
  const query = new URL(args.request.url).searchParams
  const { q } = readPageAsk(query, { q: choiceSearchName, page: 'none' })
  return {
    lab: paths.lab(organization.slug),
    targets: await faultAdmin.targets(mine, q, actor),
    switches: await faultAdmin.list(mine, actor),
    maySwitch: organization.role !== 'viewer',
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
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
  const { lab, targets, switches, maySwitch } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="Fault Lab" action={<LabLinks lab={lab} here="faults" />}>
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
      <FaultSwitches switches={switches} mayStop={maySwitch} />
      <FaultTable />
    </div>
  )
}

function SwitchForm({ targets }: { targets: Offered }) {
  return (
    <ContractForm
      schema={faultSwitchForm}
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
