import { z } from 'zod'
import { type FhirType, fhirRegistry } from '../../../server/contract/fhir/registry.ts'
import { typeLabel } from '../../../server/contract/smart/scope-labels.ts'
import { Check, Checkboxes } from '../../components/ui/choice.tsx'
import { optionsOf } from '../../components/ui/form.tsx'

const audiences = ['patient', 'clinician', 'backend'] as const
const types = Object.keys(fhirRegistry) as readonly FhirType[]

/** What the fields say; every type ticked means every type there will be. */
export const policyShape = {
  enabled: z
    .string()
    .optional()
    .transform((value) => value === 'on'),
  audiences: z.array(z.enum(audiences)),
  types: z
    .array(z.string())
    .transform((chosen) => (types.every((type) => chosen.includes(type)) ? null : chosen)),
}

interface PolicyFieldsProps {
  policy: { enabled: boolean; audiences: readonly string[]; types: readonly string[] | null }
  /** What the backend systems are called on this page. */
  systems: string
}

/** Whose apps may read records of a practice over FHIR, and which types. */
export function PolicyFields({ policy, systems }: PolicyFieldsProps) {
  return (
    <>
      <Check name="enabled" checked={policy.enabled}>
        Allow FHIR access
        <span className="sub">
          If you turn this off, no app can read anything, and running exports are canceled.
        </span>
      </Check>
      <Checkboxes
        name="audiences"
        legend="Allowed apps"
        ticked={policy.audiences}
        options={optionsOf({ patient: 'Patients’ apps', clinician: 'Clinicians’ apps', backend: systems })}
      />
      <Checkboxes
        name="types"
        legend="Record types that apps can read"
        ticked={policy.types ?? types}
        options={types.map((type) => ({ value: type, label: typeLabel(type) }))}
      />
    </>
  )
}
