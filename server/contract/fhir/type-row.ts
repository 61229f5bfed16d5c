/** What a row of the registry says of a type, and the pieces that many rows share. */
import type { FhirType, SearchParameterName } from './numbers.ts'

/**
 * Where a value lies: element names joined by dots; arrays are walked through, and `extension[URL]` is the
 * extensions of that URL.
 * - `id`, `updated`, `patient`: columns of the stored resource itself: its id, its time of change, its owner
 * - `string`: leaves are texts
 * - `identifier`: leaves are Identifiers
 * - `token`: leaves are codes (with `system`), Codings, CodeableConcepts or booleans
 * - `date`: leaves are date, dateTime, instant or Period
 * - `reference`: leaves are References, relative
 * - `canonical`: leaves are canonical URLs
 */
export interface SearchParameterRow {
  readonly name: SearchParameterName
  readonly kind:
    | 'id'
    | 'updated'
    | 'patient'
    | 'string'
    | 'identifier'
    | 'token'
    | 'date'
    | 'reference'
    | 'canonical'
  readonly paths: readonly string[]
  /** System of a plain `code` element. */
  readonly system?: string
  /** Types a reference may point to; any when left out. */
  readonly targets?: readonly FhirType[]
  /** Date prefixes that US Core asks for; the others of FHIR are understood as well. */
  readonly comparators?: readonly ('gt' | 'ge' | 'lt' | 'le')[]
  /** This date orders the type's pages; the resource row itself has it. */
  readonly sorts?: boolean
  /** How US Core asks for it alone; in combinations see the row. */
  readonly expectation?: 'SHALL' | 'SHOULD'
  /** A chart holds many values of it, each a few times: those of one value are found by an index of their own. */
  readonly selective?: boolean
  /** A scope may be narrowed by it, `patient/Observation.rs?category=…`. */
  readonly scopable?: boolean
  /** `false`: indexed for the server's own use, not offered to callers. */
  readonly offered?: boolean
}

/** How lists of people and places show a type. */
export interface RosterRow {
  readonly names: 'person' | 'text'
  /** A HumanName list or a text. */
  readonly path: string
  readonly bornPath?: string
  /** Identifiers a person may be looked up by when typing. */
  readonly identifierSystem?: string
}

export interface FhirTypeRow {
  /** Profiles of US Core 6.1.0; none for types it does not profile. */
  readonly profiles: readonly string[]
  /** Paths of the references to the owning patient, first one present wins; `self` for Patient; null outside the compartment. */
  readonly compartment: readonly string[] | 'self' | null
  /** Where none of those names a patient: references whose target's owner is the owner. */
  readonly compartmentThrough?: readonly string[]
  /** Offered to tokens of this audience alone; to all when left out. */
  readonly audience?: 'backend'
  readonly parameters: readonly SearchParameterRow[]
  /** Parameters that US Core asks for together, joined by `+`. */
  readonly combinations: { readonly shall: readonly string[]; readonly should: readonly string[] }
  /** `_include` values: `Type:parameter` or `Type:parameter:TargetType`. */
  readonly includes: readonly string[]
  /** `_revinclude` values. */
  readonly revIncludes: readonly string[]
  readonly roster: RosterRow | null
  /** A list of members that a deleted patient leaves: where it lies, and the reference in each. */
  readonly members?: { readonly list: string; readonly reference: string }
  /** Computed when asked for, never served from the store: the one group of everybody in the practice. */
  readonly computed?: 'population'
  /** Beside the stored ones there is one for each patient, made for the response: the reference to the current CCD. */
  readonly madeOnDemand?: true
  /** Content holds a placeholder for the base, replaced on the way out. */
  readonly holdsBase: boolean
}

/** What most types have; a row names what differs. */
export const usualRow = {
  combinations: { shall: [], should: [] },
  includes: [],
  /** Of every type but Provenance. */
  revIncludes: ['Provenance:target'],
  roster: null,
  holdsBase: false,
} as const satisfies Partial<FhirTypeRow>

export type RowsOf<Type extends FhirType> = Readonly<
  Record<Type, Omit<FhirTypeRow, keyof typeof usualRow> & Partial<Pick<FhirTypeRow, keyof typeof usualRow>>>
>

/** How each kind is called in a CapabilityStatement, https://hl7.org/fhir/R4/valueset-search-param-type.html */
export const searchTypeOf = {
  id: 'token',
  updated: 'date',
  patient: 'reference',
  string: 'string',
  identifier: 'token',
  token: 'token',
  date: 'date',
  reference: 'reference',
  canonical: 'reference',
} as const satisfies Record<SearchParameterRow['kind'], string>

/** Modifiers of each kind; `:missing` asks whether there is anything that the parameter could match. */
export const modifiersOf: Readonly<Record<SearchParameterRow['kind'], readonly string[]>> = {
  id: [],
  updated: [],
  patient: [],
  string: ['contains', 'exact', 'missing'],
  identifier: ['missing', 'not'],
  token: ['missing', 'not'],
  date: ['missing'],
  reference: ['missing'],
  canonical: ['missing'],
}

/**
 * Stands in stored texts where the base of the practice belongs, in the types whose row says `holdsBase`:
 * absolute URLs, as attachments and endpoints need them, of a text that is free of origin and practice.
 */
export const basePlaceholder = 'https://base.invalid'

export const comparators = ['gt', 'ge', 'lt', 'le'] as const

/** Of a US Core profile's name, its canonical URL. */
export const profile = (name: string) => `http://hl7.org/fhir/us/core/StructureDefinition/${name}`

/** What every type offers. */
export function everywhere(idExpectation?: 'SHALL' | 'SHOULD'): readonly SearchParameterRow[] {
  return [
    { name: '_id', kind: 'id', paths: ['id'], ...(idExpectation ? { expectation: idExpectation } : {}) },
    { name: '_lastUpdated', kind: 'updated', paths: ['meta.lastUpdated'], comparators },
  ]
}

export const humanNameParts: readonly string[] = [
  'name.family',
  'name.given',
  'name.prefix',
  'name.suffix',
  'name.text',
]

export const addressParts: readonly string[] = [
  'address.line',
  'address.city',
  'address.district',
  'address.state',
  'address.postalCode',
  'address.country',
  'address.text',
]

/** References out of the chart that no parameter of its own holds: the server follows them for `$everything`. */
export function refers(...paths: readonly string[]): SearchParameterRow {
  return { name: 'refers', kind: 'reference', paths, offered: false }
}
