/**
 * What the index rows of a type are made from. The text of every part is stored beside the number that its rows carry
 * (`index_version`), so that a later release can tell which parts older rows have, and which they lack.
 */
import {
  type FhirType,
  fhirRegistry,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { recordNumber } from '../search/patient-record.ts'

/** Raise a number when the code in `index-rows.ts` or `roster.ts` makes other rows from the same content. */
const ruleNumbers = {
  string: 1,
  identifier: 1,
  token: 1,
  date: 1,
  reference: 1,
  canonical: 1,
  owner: 1,
  roster: 1,
}

/** Part name → its definition. A part is a search parameter, or one of the two below. */
export type IndexDefinition = Readonly<Record<string, string>>

/** Whose chart a resource belongs to: what a search by `patient` reads. */
export const ownerPart = '~owner'
/** How lists of people and places show a resource; no search parameter reads it. */
const rosterPart = '~roster'
/** The REST record beside a resource; no search parameter reads it. */
const recordPart = '~record'

export const indexDefinitions = Object.fromEntries(
  (Object.keys(fhirRegistry) as FhirType[]).map((type) => [type, definitionOf(type)]),
) as Readonly<Record<FhirType, IndexDefinition>>

/** @returns the parts of a type that rows with this definition lack, or have in another form; all when it is unknown */
export function missingParts(type: FhirType, stored: IndexDefinition | null): string[] {
  return Object.entries(indexDefinitions[type]).flatMap(([part, text]) =>
    stored?.[part] === text ? [] : [part],
  )
}

export function isCurrent(type: FhirType, stored: IndexDefinition): boolean {
  const parts = Object.keys(indexDefinitions[type])
  return parts.length === Object.keys(stored).length && missingParts(type, stored).length === 0
}

function definitionOf(type: FhirType): IndexDefinition {
  const { compartment, compartmentThrough, parameters, roster } = fhirRegistry[type]
  return {
    [ownerPart]: textOf(ruleNumbers.owner, compartment, compartmentThrough ?? []),
    ...(roster && {
      [rosterPart]: textOf(
        ruleNumbers.roster,
        roster.names,
        roster.path,
        roster.bornPath ?? '',
        roster.identifierSystem ?? '',
      ),
    }),
    ...(type === 'Patient' && { [recordPart]: textOf(recordNumber) }),
    ...Object.fromEntries(parameters.flatMap((row) => partOf(row) ?? [])),
  }
}

/** Null for what is read from the resource row itself. */
function partOf({ name, kind, paths, system, sorts, selective }: SearchParameterRow) {
  if (kind === 'id' || kind === 'updated' || kind === 'patient') return null
  const place = sorts ? 'sort date' : selective ? 'selective' : ''
  return [[name, textOf(ruleNumbers[kind], searchParameterNumbers[name], kind, paths, system ?? '', place)]]
}

function textOf(...facts: unknown[]): string {
  return JSON.stringify(facts)
}
