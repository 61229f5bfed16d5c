import { Form, Link, useLoaderData } from '@remix-run/react'
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
import { ContractForm, Field, Select } from '../../components/ui/form.tsx'
import { FlaskConical } from '../../components/ui/icons.ts'
import { Card, EmptyState, Moment, PageHeader, SubmitButton, Tag } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { guidePath } from '../../shared/guides/guide-path.ts'

export const meta = () => [{ title: 'Fault Lab · Sandpiper' }]
export const handle = { here: 'Test / Fault Lab' }

export const loader = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { faultAdmin } = args.context.services
  const owner = { organizationId: organization.id }
  const query = new URL(args.request.url).searchParams
  const { q } = readPageAsk(query, { q: choiceSearchName, page: 'none' })
  return {
    targets: await faultAdmin.targets(owner, q, actor),
    switches: await faultAdmin.list(owner, actor),
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
        Simulate errors for one key or app, for a limited time. For a single request, send{' '}
        <code>{faultHeader}</code> with <Link to={`${guidePath('sandbox-lab')}#fault-lab`}>a fault</Link>.
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

/** Active and ended faults, each with a link to the calls of its key or app. */
function FaultSwitches({
  switches,
  mayStop,
  slug,
}: {
  switches: readonly ShownSwitch[]
  mayStop: boolean
  slug: string
}) {
  return (
    <div className="stack">
      {switches.map((faultSwitch) => (
        <Card key={faultSwitch.id} label={`Faults for ${faultSwitch.label}`}>
          <header className="row between">
            <h2>{faultSwitch.label}</h2>
            <Tag tone={faultSwitch.on ? 'turn' : 'quiet'}>{faultSwitch.on ? 'Active' : 'Ended'}</Tag>
          </header>
          <div className="pad stack tight">
            <p>
              <code>{faultSwitch.steps.join(', ')}</code>
              {faultSwitch.repeats ? ', repeating' : ''}
            </p>
            <p className="hint">
              {faultSwitch.taken === 1 ? '1 step' : `${faultSwitch.taken} steps`} applied. Since{' '}
              <Moment at={faultSwitch.startedAt} />, {faultSwitch.on ? 'ends' : 'until'}{' '}
              <Moment at={faultSwitch.endsAt} />.
            </p>
            <Link to={paths.logs(slug, { caller: faultSwitch.caller })}>View calls</Link>
          </div>
          {faultSwitch.on && mayStop && (
            <footer>
              <Form method="post">
                <input type="hidden" name="stop" value={faultSwitch.id} />
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
