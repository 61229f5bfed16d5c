import { Form, useLoaderData } from '@remix-run/react'
import { endOverrideForm, overrideForm } from '../../../server/contract/forms/status.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type ComponentState,
  components,
  overrideHours,
  overrideReasonMax,
  overrideSummaryMax,
  settableStates,
} from '../../../server/contract/status/components.ts'
import { ContractForm, Field, Select, TextArea } from '../../components/ui/form.tsx'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Button, Card, Facts, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { TextWarning } from '../../components/ui/text-warning.tsx'
import { counted } from '../../lib/dates.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, page, requireStepUp } from '../../services.server.ts'
import { LockedCard } from '../../shared/sign-in/confirm-first.tsx'
import { StateTag, stateWords } from '../../shared/status/state-tag.tsx'

export const meta = () => [{ title: 'Component states · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const { status } = args.context.services
  const overrides = await status.listOverrides(session)
  const { services, overallSummary } = await status.platform()
  return {
    stepUp: findStepUp(args, session),
    overallSummary,
    parts: await status.practiceParts(),
    rows: services.map((row) => ({
      ...row,
      override: overrides.find(({ component }) => component === row.id) ?? null,
    })),
  }
})

export const action = page(async (args) => {
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
  const { rows, parts, overallSummary, stepUp } = useLoaderData<typeof loader>()
  const seen = rows.flatMap(({ id, override }) => (override ? [`${id}:${override.id}`] : [])).join(' ')
  return (
    <>
      <PageHeader title="Component states">{overallSummary}</PageHeader>
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
      {/* What is set here is read by everybody. */}
      {stepUp === null ? (
        <OverrideForm key={seen} seen={seen} />
      ) : (
        <LockedCard title="Set a state manually" to={stepUp}>
          Use this during an incident or maintenance. Confirm your password and authenticator code first.
        </LockedCard>
      )}
    </>
  )
}

function OverrideForm({ seen }: { seen: string }) {
  return (
    <ContractForm
      title="Set a state manually"
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
  ...settableStates.map((value) => ({ value, label: stateWords(value) })),
]
const hourOptions = overrideHours.map((hours) => ({
  value: `${hours}`,
  label: hours < 48 ? counted(hours, 'hour') : counted(hours / 24, 'day'),
}))

type ComponentRow = ReturnType<typeof useLoaderData<typeof loader>>['rows'][number]

const found = (state: ComponentState) => `Automatic check: ${stateWords(state).toLowerCase()}`

/** Every component as everybody sees it, with what was set by hand. */
function ComponentTable({ rows, mayEnd }: { rows: readonly ComponentRow[]; mayEnd: boolean }) {
  return (
    <DataTable label="Components" heads={['Component', 'State', 'Set manually']} act="Actions">
      {rows.map(({ id, name, status, summary, automaticStatus, override }) => (
        <Row key={id}>
          <Cell>{name}</Cell>
          <Cell label="State">
            <StateTag state={status} />
            {status !== 'not_available' && <span className="sub">{summary}</span>}
          </Cell>
          <Cell label="Set manually">
            {override === null ? (
              automaticStatus ? (
                `By an incident. ${found(automaticStatus)}`
              ) : (
                'No'
              )
            ) : (
              <>
                {override.reason}
                <span className="sub">
                  {override.setBy}, until <Moment at={override.until} />
                </span>
                {automaticStatus && <span className="sub">{found(automaticStatus)}</span>}
              </>
            )}
          </Cell>
          <Cell className="act">
            {override !== null && mayEnd && (
              <Form method="post" action={`?end=${encodeURIComponent(id)}`} className="stack tight">
                <input
                  className="input"
                  name="reason"
                  placeholder="Reason"
                  aria-label={`Reason for ending the manual state of ${name}`}
                  minLength={10}
                  maxLength={500}
                  required
                />
                <TextWarning field="reason" about={id} />
                <Button type="submit" size="sm">
                  End<span className="sr"> the manual state of {name}</span>
                </Button>
              </Form>
            )}
          </Cell>
        </Row>
      ))}
    </DataTable>
  )
}
