/** Plans for the lists of the REST API and the portal. The contract has already checked their parameters. */
import { identifierSystems } from '../contract/fhir/codes.ts'
import { type FhirType, searchParameterNumbers } from '../contract/fhir/registry.ts'
import { fold, numberKey } from '../contract/text/fold.ts'
import type { ListCriterion, NamePlan, ReadPlan } from './plan.ts'

type Page = { readonly limit: number; readonly offset: number }

export interface PatientListQuery extends Page {
  readonly mrn?: string | undefined
  readonly q?: string | undefined
  /** `yyyy`, `yyyy-mm` or `yyyy-mm-dd`. */
  readonly dob?: string | undefined
}

const patient: FhirType = 'Patient'
const provider: FhirType = 'Practitioner'
const role: FhirType = 'PractitionerRole'

/** Whether the caller may see names and record numbers. */
export type PatientFieldsSeen = Readonly<{ names: boolean; numbers: boolean }>

const everyField: PatientFieldsSeen = { names: true, numbers: true }

/** A `q` of spaces and punctuation matches nothing. */
export function planPatientList(
  { q, mrn, dob, ...page }: PatientListQuery,
  seen: PatientFieldsSeen = everyField,
): NamePlan {
  const criteria: ListCriterion[] = []
  if (q !== undefined) criteria.push(seen.numbers ? typed(q) : typedName(q))
  if (mrn !== undefined)
    criteria.push({ kind: 'identifier', system: identifierSystems.medicalRecordNumber, value: mrn })
  if (dob !== undefined) criteria.push({ kind: 'born', prefix: dob })
  const plan = list(patient, criteria, page)
  return seen.names ? plan : { ...plan, unnamed: true }
}

export const planProviders = ({ q, ...page }: Page & { readonly q?: string | undefined }): NamePlan =>
  list(provider, q === undefined ? [] : [typed(q)], page)

/** Providers with a current role at this location. */
export function planProvidersOf(locationId: string, page: Page): NamePlan {
  const target = { type: 'Location', id: locationId } as const
  return list(provider, [{ kind: 'through', type: role, by: 'practitioner', to: 'refers', target }], page)
}

export const planProvider = (id: string): NamePlan =>
  list(provider, [{ kind: 'id', id }], { limit: 1, offset: 0 })

/** Reads a resource by its id, for callers with access to the whole practice. */
export const planRead = (type: FhirType, id: string): ReadPlan => ({ type, id, visible: [whole(type)] })

/** Returns stored REST records instead of FHIR texts, if there are any. */
export const asRecords = (plan: NamePlan): NamePlan => ({ ...plan, asRecords: true })

/** Includes the roles of the providers. */
export function withRoles(plan: NamePlan): NamePlan {
  const parameter = searchParameterNumbers.practitioner
  return { ...plan, includes: [{ direction: 'reverse', parameter, visible: whole(role) }] }
}

function list(type: FhirType, criteria: readonly ListCriterion[], { limit, offset }: Page): NamePlan {
  return { visible: whole(type), criteria, sort: { by: 'name' }, count: limit, offset, includes: [] }
}

const whole = (type: FhirType): NamePlan['visible'] => ({ type, patientId: null, codes: null })

/** The beginning of a name; does not match record numbers. */
function typedName(q: string): ListCriterion {
  const folded = fold(q)
  return folded === '' ? { kind: 'nothing' } : { kind: 'typed', prefixes: [folded], namesOnly: true }
}

/** The beginning of a name or a record number. */
function typed(q: string): ListCriterion {
  const folded = fold(q)
  if (folded === '') return { kind: 'nothing' }
  // Record numbers are only searched for a text with a digit.
  if (/\p{N}/u.test(folded)) return { kind: 'typed', prefixes: [folded, numberKey(q)] }
  return { kind: 'typed', prefixes: [folded] }
}
