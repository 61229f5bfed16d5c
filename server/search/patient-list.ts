/** Compiles the REST patient list's parameters; they are parsed and bounded by `contract/operations`. */
import { identifierSystems } from '../contract/codes.ts'
import type { FhirType } from '../contract/fhir-registry.ts'
import { fold, numberKey } from '../contract/fold.ts'
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
  if (query.q !== undefined) {
    const prefix = fold(query.q)
    criteria.push(
      prefix === '' ? { kind: 'nothing' } : { kind: 'roster', prefixes: beginnings(query.q, prefix) },
    )
  }
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

/** Only what holds a digit can be the beginning of a record number that is worth looking for. */
function beginnings(q: string, prefix: string): string[] {
  return /\p{N}/u.test(prefix) ? [prefix, numberKey(q)] : [prefix]
}
