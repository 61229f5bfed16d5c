/** Suggestions of fields. Other values may be typed. */
import { identifierSystems } from '../../server/contract/fhir/codes.ts'
import { type FhirType, registryRow } from '../../server/contract/fhir/registry.ts'
import { sandboxPeople } from '../../server/contract/lab/sandbox-people.ts'
import type { PersonField } from '../shared/operations/input-kinds.ts'
import type { BuilderPerson } from './fhir/fhir-token.ts'
import type { Choice } from './page.ts'

/** Suggestions of REST and MCP fields that name a person of the sandbox. */
export const peopleChoices = {
  patient: sandboxPeople.map(({ id, name }) => ({ value: id, display: name })),
  mrn: sandboxPeople.map(({ mrn, name }) => ({ value: mrn, display: name })),
} satisfies Record<PersonField, readonly Choice[]>

/** Patients by ID or record number. A patient's own token leaves only that patient. */
export function peopleOf(
  type: FhirType,
  { kind, id: personId }: BuilderPerson,
): Readonly<Record<string, readonly Choice[]>> {
  const people = sandboxPeople.filter(({ id }) => kind === 'clinician' || id === personId)
  const byId = people.map(({ id, name }) => ({ value: id, display: name }))
  if (registryRow(type).compartment !== 'self') return { patient: byId }
  const system = identifierSystems.medicalRecordNumber
  return {
    _id: byId,
    identifier: people.map(({ mrn, name }) => ({ value: `${system}|${mrn}`, display: name })),
  }
}
