/** Values that a field suggests; any other may be typed. */
import { identifierSystems } from '../../server/contract/fhir/codes.ts'
import { type FhirType, registryRow } from '../../server/contract/fhir/registry.ts'
import { sandboxPeople } from '../../server/contract/lab/sandbox-people.ts'
import type { PersonField } from '../shared/operations/input-kinds.ts'
import type { BuilderPerson } from './fhir/fhir-token.ts'
import type { Choice } from './page.ts'

/** Of fields that name a person of the sandbox, in REST and MCP. */
export const peopleChoices = {
  patient: sandboxPeople.map(({ id, name }) => ({ value: id, display: name })),
  mrn: sandboxPeople.map(({ mrn, name }) => ({ value: mrn, display: name })),
} satisfies Record<PersonField, readonly Choice[]>

/** The patient is chosen by name or record number; with a patient's own token there is no one to choose. */
export function peopleOf(
  type: FhirType,
  { kind, id: own }: BuilderPerson,
): Readonly<Record<string, readonly Choice[]>> {
  const people = sandboxPeople.filter(({ id }) => kind === 'clinician' || id === own)
  const byId = people.map(({ id, name }) => ({ value: id, display: name }))
  if (registryRow(type).compartment !== 'self') return { patient: byId }
  const system = identifierSystems.medicalRecordNumber
  return {
    _id: byId,
    identifier: people.map(({ mrn, name }) => ({ value: `${system}|${mrn}`, display: name })),
  }
}
