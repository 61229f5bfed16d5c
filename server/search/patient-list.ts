/** Compiles the REST patient list's parameters; they are parsed and bounded by `contract/operations`. */
import { identifierSystems } from '../contract/fhir/codes.ts'
import type { FhirType } from '../contract/fhir/registry.ts'
import { fold, numberKey } from '../contract/text/fold.ts'
import type { Criterion, SearchPlan } from './plan.ts'

export interface PatientListQuery {
  readonly mrn?: string
  readonly q?: string
  /** `yyyy`, `yyyy-mm` or `yyyy-mm-dd`. */
  readonly dob?: string
  readonly limit: number
  readonly offset: number
}

const patient: FhirType = 'Patient'

/** A `q` of nothing but spaces and punctuation matches nobody: it names no one. */
export function planPatientList(query: PatientListQuery): SearchPlan {
  const criteria: Criterion[] = []
  if (query.q !== undefined) criteria.push(typed(query.q))
  if (query.mrn !== undefined) {
    criteria.push({ kind: 'identifier', system: identifierSystems.medicalRecordNumber, value: query.mrn })
  }
  if (query.dob !== undefined) criteria.push({ kind: 'born', prefix: query.dob })
  return { type: patient, criteria, limit: query.limit, offset: query.offset }
}

/** One resource by its id. */
export function planRead(type: FhirType, id: string): SearchPlan {
  return { type, criteria: [{ kind: 'id', id }], limit: 1, offset: 0 }
}

/** What somebody began to type of a name or a number. */
export function typed(q: string): Criterion {
  const folded = fold(q)
  if (folded === '') return { kind: 'nothing' }
  // Only what holds a digit can be the beginning of a record number that is worth looking for.
  if (/\p{N}/u.test(folded)) return { kind: 'roster', prefixes: [folded, numberKey(q)] }
  return { kind: 'roster', prefixes: [folded] }
}
