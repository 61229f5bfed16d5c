/** What the builder suggests for each parameter: codes of the practice, records of the chart, people by their names. */

import { identifierSystems } from '../../../server/contract/fhir/codes.ts'
import { type FhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import type { SuggestionReader } from '../../../server/lab/explorer/explorer-records.ts'
import type { Services } from '../../../server/services.ts'

import type { BuilderPerson } from './fhir-person.ts'

type Choice = Readonly<{ value: string; display: string }>

type Place = Readonly<{ id: string; datasetId: number; fhirTypes: readonly string[] }>

/** By the name of the parameter; `id` are records of the type itself. Suggestions only: any other value may be typed. */
export async function choicesOf(
  { explorerChoices, explorerRecords }: Pick<Services, 'explorerChoices' | 'explorerRecords'>,
  {
    practice,
    type,
    person,
    about,
    reader,
  }: {
    practice: Place
    type: FhirType
    person: BuilderPerson
    about: string
    reader: SuggestionReader
  },
): Promise<Readonly<Record<string, readonly Choice[]>>> {
  const [codes, records] = await Promise.all([
    explorerChoices.listCodes(practice.datasetId, type),
    explorerRecords.listRecords(practice, type, about, reader),
  ])
  return { ...codes, ...records, ...peopleOf(type, person) }
}

/** The patient is chosen by name or record number; with a patient's own token there is nobody to choose. */
function peopleOf(
  type: FhirType,
  { kind, id: own }: BuilderPerson,
): Readonly<Record<string, readonly Choice[]>> {
  const people = sandboxPeople.filter(({ id }) => kind === 'clinician' || id === own)
  const byId = people.map(({ id, name }) => ({ value: id, display: name }))
  if (registryRow(type).compartment !== 'self') return { patient: byId }
  const system = identifierSystems.medicalRecordNumber
  return {
    ...(kind === 'clinician' && { _id: byId }),
    identifier: people.map(({ mrn, name }) => ({ value: `${system}|${mrn}`, display: name })),
  }
}
