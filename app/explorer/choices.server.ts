/** Records of the practice that a call can name, found by what they are called. Suggestions: any other id may be typed. */

import { identifierSystems } from '../../server/contract/fhir/codes.ts'
import { type FhirType, registryRow } from '../../server/contract/fhir/registry.ts'
import { sandboxPeople } from '../../server/contract/lab/sandbox-people.ts'
import type { SuggestionReader } from '../../server/lab/explorer/explorer-records.ts'
import type { Services } from '../../server/services.ts'
import type { PageArgs } from '../services.server.ts'
import type { RecordKind } from '../shared/operations/input-kinds.ts'
import { findDeveloper } from './calls/caller.server.ts'
import type { BuilderPerson } from './fhir/fhir-token.ts'

type RecordChoices = Readonly<
  Partial<Record<RecordKind, readonly Readonly<{ value: string; display: string }>[]>>
>

const typeOf: Readonly<Partial<Record<RecordKind, FhirType>>> = {
  practitioner: 'Practitioner',
  location: 'Location',
  encounter: 'Encounter',
  document: 'DocumentReference',
}

/**
 * @param practice that is chosen; where it has not been made yet, its records are those of the demonstration
 * @param kinds asked for; none asks nothing
 */
export async function recordChoices(
  args: PageArgs,
  practice: { readonly slug: string; readonly isMade: boolean },
  kinds: readonly RecordKind[],
): Promise<RecordChoices> {
  const { explorerTokens, explorerRecords } = args.context.services
  const wanted = [...new Set(kinds)]
  if (wanted.length === 0) return {}
  const developer = await findDeveloper(args)
  const [session, slug] = practice.isMade ? [developer, practice.slug] : [null, null]
  const reader = { accountId: developer?.accountId ?? null, correlationId: args.context.correlationId }
  const place = await explorerTokens.openPractice(session, slug)
  const [person] = sandboxPeople
  const found = wanted.map(async (kind) => {
    const type = typeOf[kind]
    if (type === undefined) return [kind, people(kind)] as const
    return [kind, await explorerRecords.listType(place, type, person?.id ?? '', reader)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

function people(kind: RecordKind) {
  return sandboxPeople.map(({ id, mrn, name }) => ({ value: kind === 'mrn' ? mrn : id, display: name }))
}

type Choice = Readonly<{ value: string; display: string }>

type Place = Readonly<{ id: string; datasetId: number; fhirTypes: readonly string[] }>

/**
 * What the builder suggests, by the name of the parameter: codes of the practice, records of the chart, people by their
 * names. `id` are records of the type itself.
 */
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

/** The patient is chosen by name or record number; with a patient's own token there is no one to choose. */
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
