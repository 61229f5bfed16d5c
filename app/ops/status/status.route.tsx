import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { endOverrideForm, overrideForm } from '../../../server/contract/forms/status.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  components,
  overrideHours,
  overrideReasonMax,
  overrideSummaryMax,
  settableStates,
} from '../../../server/contract/status/components.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Field, Select, TextArea } from '../../components/ui/field.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { counted } from '../../lib/dates.ts'
import { findStepUp, requireStepUp } from '../../lib/step-up.server.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { actorOf, getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { StateTag } from '../../shared/status/state-tag.tsx'
import { ComponentTable } from './component-table.tsx'

export const meta: MetaFunction = () => [{ title: 'Component states · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { status } = args.context.services
  const overrides = await status.listOverrides(session)
  const { services, overallSummary } = await status.platform()
  return {
    account: { name: session.account.name, email: session.account.email },
    stepUp: findStepUp(args, session),
    overallSummary,
    parts: await status.practiceParts(),
    rows: services.map((row) => ({
      ...row,
      override: overrides.find(({ component }) => component === row.id) ?? null,
    })),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { status, clock } = args.context.services
  const actor = actorOf(args, session)
  requireStepUp(args, session)
  const done = (what: 'status_set' | 'status_ended') => goOn(paths.statusOverrides, what)
  const ended = new URL(args.request.url).searchParams.get('end')
  if (ended !== null) {
    return runForm(args.request, endOverrideForm, async (value) => {
      await status.endOverride({ component: ended, ...value }, actor)
      return done('status_ended')
    })
  }
  return runForm(args.request, overrideForm, async (value) => {
    const { hours, seen, ...override } = value
    const until = new Date(clock().getTime() + hours * 3_600_000)
    const replaces = seenOverride(seen, override.component)
    await status.setOverride({ ...override, until, replaces }, actor)
    return done('status_set')
  })
})

/** `component:id component:id …`: what the page showed as set when the form was opened. */
function seenOverride(seen: string | undefined, component: string): string | null {
  const row = (seen ?? '').split(' ').find((each) => each.startsWith(`${component}:`))
  return row?.split(':')[1] ?? null
}

const labels = {
  component: 'Component',
  state: 'State',
  summary: 'Public text',
  reason: 'Reason',
  hours: 'Duration',
}

export default function ComponentStates() {
  const { account, rows, parts, overallSummary, stepUp } = useLoaderData<typeof loader>()
  const seen = rows.flatMap(({ id, override }) => (override ? [`${id}:${override.id}`] : [])).join(' ')
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title="Component states">
        {overallSummary} <Link to={paths.staffIncidents}>Incidents and maintenance</Link> ·{' '}
        <Link to={paths.staff}>Back to the console</Link>
      </PageHeader>
      <Card id="components" title="Now">
        <ComponentTable rows={rows} mayEnd={stepUp === null} />
      </Card>
      <Card id="parts" title="Practice-specific components">
        <Facts
          className="pad facts wide"
          of={{
            'Sign-in and its emails': (
              <>
                <StateTag state={parts.signIn.state} /> {parts.signIn.summary}
              </>
            ),
            Saving: (
              <>
                <StateTag state={parts.saving.state} /> {parts.saving.summary}
              </>
            ),
          }}
        />
        <footer>These are not on the status page. The practice look-up uses them.</footer>
      </Card>
      {stepUp === null ? <OverrideForm key={seen} seen={seen} /> : <Locked to={stepUp} />}
    </ConsoleFrame>
  )
}

/** What is set here is read by everybody: both proofs first. */
function Locked({ to }: { to: string }) {
  return (
    <Card padded id="locked" title="Set a state manually">
      <p className="muted">
        Use this during an incident or maintenance. Confirm your password and authenticator code first.
      </p>
      <div>
        <LinkButton look="primary" to={to}>
          Confirm your password
        </LinkButton>
      </div>
    </Card>
  )
}

function OverrideForm({ seen }: { seen: string }) {
  return (
    <ContractForm
      title="Set a state manually"
      schema={overrideForm}
      labels={labels}
      hidden={{ seen }}
      button="Set state"
      busy="Setting"
    >
      <Select name="component" options={componentOptions} />
      <Select
        name="state"
        options={stateOptions}
        hint="It replaces the automatic check’s result. The status page shows both."
      />
      <Field name="summary" hint={`One public line of at most ${overrideSummaryMax} characters.`} />
      <Select name="hours" options={hourOptions} />
      <TextArea
        name="reason"
        rows={2}
        hint={`For colleagues, 10 to ${overrideReasonMax} characters. Stored with your name.`}
      />
    </ContractForm>
  )
}

/** Nothing is chosen beforehand: what is set is read by everybody. */
const componentOptions = [
  { value: '', label: 'Choose a component' },
  ...Object.entries(components).map(([value, { name }]) => ({ value, label: name })),
]
const stateOptions = [
  { value: '', label: 'Choose a state' },
  ...settableStates.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]
const hourOptions = overrideHours.map((hours) => ({
  value: `${hours}`,
  label: hours < 48 ? counted(hours, 'hour') : counted(hours / 24, 'day'),
}))
