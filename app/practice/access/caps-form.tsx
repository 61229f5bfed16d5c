import { clockTime } from '../../../server/contract/keys/key-caps.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Field, Select } from '../../components/ui/field.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import type { Serialized } from '../../lib/serialized.ts'
import { Caps } from '../../shared/keys/practice-limits.tsx'

interface CapsProps {
  caps: Serialized<Awaited<ReturnType<Services['keyCaps']['read']>>>
  zones: readonly string[]
  version: number
  onceKey: string
  stepUp: string | null
}

/** How much of the practice a key may use a day, and when. */
export function CapsForm({ caps: { caps, today, defaultZone }, zones, version, onceKey, stepUp }: CapsProps) {
  const textOf = (value: number | null | undefined) => value?.toString() ?? ''
  const timeOf = (value: number | undefined) => (value === undefined ? '' : clockTime(value))
  return (
    <ActionForm
      intent="cap"
      version={version}
      onceKey={onceKey}
      title="Caps"
      text="Each cap is optional. A call over a cap of a day is refused until the day ends, and a call outside the hours is refused at once. The developer sees the reason."
      button="Change caps"
      busy="Changing"
      look="primary"
      reason="Reason"
      reasonHint="10 to 500 characters. The organization’s owners and admins get it by email."
      stepUp={{ to: stepUp, label: 'Confirm that it is you' }}
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
          hint="An earlier time than the first one is on the next day."
        />
      </div>
      <Select
        name="timeZone"
        label="Time zone"
        value={caps?.zone ?? defaultZone}
        hint="Of the hours. A day begins at midnight in this zone."
        options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      />
    </ActionForm>
  )
}

/** Who changed the caps, when and why. */
export function CapChanges({ history }: Pick<CapsProps['caps'], 'history'>) {
  if (history.length === 0) return null
  return (
    <Card title="Changes of caps">
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
