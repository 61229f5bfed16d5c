import { Link, useLoaderData } from '@remix-run/react'
import {
  alertForms,
  alertRuleIds,
  alertRules,
  alertRuleWords,
  weekdayNames,
} from '../../../server/contract/portal/access-alerts.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Check, Checkboxes } from '../../components/ui/choice.tsx'
import { Field, Select } from '../../components/ui/form.tsx'
import { PageHeader } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { findStepUp, here, page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Alert settings · Sandpiper' }]

export const loader = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const settings = await args.context.services.accessAlerts.readSettings(practice.id, actor)
  return {
    practice: { slug: practice.slug },
    settings,
    zones: [...new Set([settings.zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])],
    stepUp: findStepUp(args, session),
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const { accessAlerts } = args.context.services
  return runAction(
    args,
    { settings: alertForms.settings },
    { settings: (input) => accessAlerts.saveSettings({ practiceId: practice.id, ...input }, actor) },
    { to: () => ({ path: here(args.request), done: 'alerts_changed' }), session },
  )
})

const hours = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    value: String(from + at),
    label: `${String(from + at).padStart(2, '0')}:00`,
  }))

export default function AlertSettings() {
  const { practice, settings, zones, stepUp, onceKey } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Alert settings">
        Choose what triggers an alert and who is notified.{' '}
        <Link to={`${paths.practiceAlerts}?${new URLSearchParams({ practice: practice.slug })}`}>Alerts</Link>
      </PageHeader>
      <Refusal />
      <ActionForm
        intent="settings"
        label="Alert settings"
        version={settings.version}
        onceKey={onceKey}
        button="Save settings"
        busy="Saving"
        look="primary"
        stepUp={{ to: stepUp, label: 'Confirm your password' }}
      >
        <Checkboxes
          name="alertsOn"
          legend="Active alerts"
          options={alertRuleIds.map((id) => ({
            value: id,
            label: alertRules[id].label,
            sub: `${alertRuleWords(id, settings.rules[id].threshold)}${
              alertRules[id].oneCaller ? ' For keys and backend systems.' : ''
            }`,
          }))}
          ticked={alertRuleIds.filter((id) => settings.rules[id].on)}
        />
        <div className="grid g3">
          {alertRuleIds.map((id) => (
            <Field
              key={id}
              name={`threshold_${id}`}
              label={`${alertRules[id].label}: limit`}
              hint={`In ${alertRules[id].unit}.`}
              inputMode="numeric"
              value={String(settings.rules[id].threshold)}
              required
            />
          ))}
        </div>
        <Checkboxes
          name="officeDays"
          legend="Office days"
          options={weekdayNames.map((label, day) => ({ value: String(day), label }))}
          ticked={settings.days.map(String)}
        />
        <div className="grid g3">
          <Select name="opens" label="Office opens" value={String(settings.opens)} options={hours(0, 23)} />
          <Select
            name="closes"
            label="Office closes"
            value={String(settings.closes)}
            options={hours(1, 24)}
          />
          <Select
            name="timeZone"
            label="Time zone"
            value={settings.zone}
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          />
        </div>
        <Check name="byEmail" checked={settings.byEmail}>
          Email new alerts to the admins. They are always in the inbox.
        </Check>
      </ActionForm>
    </>
  )
}
