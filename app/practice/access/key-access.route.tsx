import { Link, useLoaderData } from '@remix-run/react'
import { keyAccessForms } from '../../../server/contract/forms/key-access.ts'
import { type DataClass, dataClasses } from '../../../server/contract/keys/data-classes.ts'
import { clockTime } from '../../../server/contract/keys/key-caps.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type Purpose, purposes } from '../../../server/contract/rest/purposes.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { Field, Select } from '../../components/ui/form.tsx'
import { Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { findStepUp, here, page } from '../../services.server.ts'
import { KeyData, KeyPrefix } from '../../shared/keys/key-words.tsx'
import { Caps } from '../../shared/keys/practice-limits.tsx'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'What a key can read · Sandpiper' }]

export const loader = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const { services } = args.context
  const keyId = args.params.key ?? ''
  const target = { practiceId: practice.id, keyId }
  const [key, caps] = await Promise.all([
    services.keyAccess.read(target, actor),
    services.keyCaps.read(target, actor),
  ])
  return {
    key,
    caps,
    zones: [...new Set([caps.defaultZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])],
    stepUp: findStepUp(args, session),
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const keyId = args.params.key ?? ''
  return runAction(
    args,
    keyAccessForms,
    {
      narrow: (input) =>
        args.context.services.keyAccess.narrow({ practiceId: practice.id, keyId, ...input }, actor),
      cap: (input) => args.context.services.keyCaps.set({ practiceId: practice.id, keyId, ...input }, actor),
    },
    {
      to: (intent) => ({
        path: here(args.request),
        done: intent === 'cap' ? 'key_caps_changed' : 'key_access_changed',
      }),
      session,
    },
  )
})

export default function KeyAccessPage() {
  const { key, caps, zones, stepUp, onceKey } = useLoaderData<typeof loader>()
  const { agreed, access } = key
  return (
    <>
      <PageHeader title={`What ${key.name} can read`}>
        A key of {key.organizationName}, <KeyPrefix prefix={key.prefix} />.{' '}
        <Link to={paths.practiceRecordOf(key.id)}>Whose records it read</Link>
        {key.requestId && (
          <>
            {' · '}
            <Link to={paths.practiceSponsorship(key.requestId)}>Key details</Link>
          </>
        )}
      </PageHeader>
      <Refusal />
      <ActionForm
        intent="narrow"
        version={key.version}
        onceKey={onceKey}
        title="Allow only"
        text="You can clear what the key doesn’t need, and allow it again later. From the next request on, responses leave out all other data."
        button="Change access"
        busy="Saving"
        look="primary"
        reason="Reason"
        reasonHint="10 to 500 characters. The organization’s owners and admins get it by email."
        stepUp={{ to: stepUp, label: 'Confirm your password' }}
      >
        <Checkboxes
          name="dataClasses"
          legend="Data classes"
          hint={key.requestId ? 'These are in the agreement.' : 'This key has no agreement that limits it.'}
          options={agreed.classes.map((name: DataClass) => ({ value: name, label: dataClasses[name] }))}
          ticked={access.classes}
        />
        <Checkboxes
          name="purposes"
          legend="Purposes"
          options={agreed.purposes.map((name: Purpose) => ({ value: name, label: purposes[name] }))}
          ticked={access.purposes}
        />
      </ActionForm>
      <CapsForm caps={caps} zones={zones} version={key.version} onceKey={onceKey} stepUp={stepUp} />
      <Card title="Changes">
        {key.history.length === 0 ? (
          <p className="pad muted">
            {key.requestId ? 'None since the agreement was signed.' : 'None. The key reads every record.'}
          </p>
        ) : (
          <ul className="pad list">
            {key.history.map((change) => (
              <li key={change.id}>
                <span className="label">
                  <Moment at={change.at} />, {change.by}
                </span>
                <KeyData of={{ dataClasses: change.access.classes, purposes: change.access.purposes }} />
                <p className="small muted breaks">Reason: {change.reason}</p>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <CapChanges history={caps.history} />
    </>
  )
}

interface CapsProps {
  caps: Awaited<ReturnType<Services['keyCaps']['read']>>
  zones: readonly string[]
  version: number
  onceKey: string
  stepUp: string | null
}

/** Daily limits of a key at this practice, and the hours in which it works. */
function CapsForm({ caps: { caps, today, defaultZone }, zones, version, onceKey, stepUp }: CapsProps) {
  const textOf = (value: number | null | undefined) => value?.toString() ?? ''
  const timeOf = (value: number | undefined) => (value === undefined ? '' : clockTime(value))
  return (
    <ActionForm
      intent="cap"
      version={version}
      onceKey={onceKey}
      title="Caps"
      text="Each cap is optional. Calls over a daily cap are refused until the next day, and a call outside the hours is refused at once. The developer sees the reason."
      button="Change caps"
      busy="Saving"
      look="primary"
      reason="Reason"
      reasonHint="10 to 500 characters. The organization’s owners and admins get it by email."
      stepUp={{ to: stepUp, label: 'Confirm your password' }}
    >
      {caps && (
        <p>
          <Caps caps={caps} today={today} />
        </p>
      )}
      <div className="grid g2">
        <Field
          name="callsPerDay"
          label="Calls a day"
          inputMode="numeric"
          value={textOf(caps?.callsPerDay)}
          hint="Empty: as many as the published limits allow."
        />
        <Field
          name="patientsPerDay"
          label="Patients a day"
          inputMode="numeric"
          value={textOf(caps?.patientsPerDay)}
          hint="Different patients whose records the key reads or writes."
        />
        <Field
          name="hoursFrom"
          label="Allowed from"
          type="time"
          value={timeOf(caps?.hours?.from)}
          hint="Empty: at any time."
        />
        <Field
          name="hoursUntil"
          label="Allowed until"
          type="time"
          value={timeOf(caps?.hours?.until)}
          hint="If it’s earlier than the start, the next day applies."
        />
      </div>
      <Select
        name="timeZone"
        label="Time zone"
        value={caps?.zone ?? defaultZone}
        hint="Applies to the allowed hours. Each day starts at midnight in this zone."
        options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      />
    </ActionForm>
  )
}

function CapChanges({ history }: Pick<CapsProps['caps'], 'history'>) {
  if (history.length === 0) return null
  return (
    <Card title="Cap changes">
      <ul className="pad list">
        {history.map((change) => (
          <li key={change.id}>
            <span className="label">
              <Moment at={change.at} />, {change.by}
            </span>
            <span className="sub">{change.caps.length === 0 ? 'No caps' : change.caps.join('; ')}</span>
            <p className="small muted breaks">Reason: {change.reason}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
