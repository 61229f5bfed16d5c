import { componentIds, components } from '../../../server/contract/status/components.ts'
import { type Affected, affectedField, affectedStates } from '../../../server/contract/status/incidents.ts'
import { Fault, TextArea } from '../../components/ui/form.tsx'
import { useFormField } from '../../lib/form-answer.ts'

export const affectedWords: Record<(typeof affectedStates)[number], string> = {
  as_checked: 'affected (use automatic status)',
  operational: 'operational (a check is wrong)',
  degraded: 'degraded',
  partial_outage: 'partial outage',
  major_outage: 'major outage',
  under_maintenance: 'under maintenance',
}

/** Fields for the state of each component during an incident. */
export function AffectedFields({ affected }: { affected: Affected }) {
  // An error of all components belongs to the first component's field.
  const first = useFormField(affectedField('academy'))
  return (
    <details open={first.fault !== undefined}>
      <summary>Components</summary>
      <div className="grid g2 mt-2">
        {componentIds.map((id) => (
          <div className="field" key={id}>
            <label htmlFor={affectedField(id)}>{components[id].name}</label>
            <select
              className="input"
              id={affectedField(id)}
              name={affectedField(id)}
              defaultValue={affected[id] ?? ''}
            >
              <option value="">not affected</option>
              {affectedStates.map((state) => (
                <option key={state} value={state}>
                  {affectedWords[state]}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      <Fault id={`${first.id}-fault`} fault={first.fault} />
    </details>
  )
}

export const staffReasonLabel = 'Reason'

/** The staff's reason for a step, shown to staff only. */
export function StaffReason() {
  return (
    <TextArea name="reason" rows={2} hint="For colleagues, at least 10 characters. Stored with your name." />
  )
}
