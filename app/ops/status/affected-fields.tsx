import type { FieldMetadata } from '@conform-to/react'
import { componentIds, components } from '../../../server/contract/status/components.ts'
import { type Affected, affectedField, affectedStates } from '../../../server/contract/status/incidents.ts'
import { FieldError } from '../../components/ui/field.tsx'

const words: Record<(typeof affectedStates)[number], string> = {
  as_checked: 'affected; the checks say how',
  degraded: 'degraded',
  partial_outage: 'partial outage',
  major_outage: 'major outage',
  under_maintenance: 'under maintenance',
}

interface AffectedFieldsProps {
  affected: Affected
  /** Where a fault of all of them is said. */
  meta: FieldMetadata<string | undefined>
}

/** What an incident says of each component. */
export function AffectedFields({ affected, meta }: AffectedFieldsProps) {
  return (
    <fieldset className="choices">
      <legend>Components</legend>
      <div className="grid g2">
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
                  {words[state]}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      <FieldError meta={meta} />
    </fieldset>
  )
}
