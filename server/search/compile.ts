/** From a FHIR search request to its plan: pure, and everything that can be refused is refused here. */
import type { FhirType } from '../contract/fhir-registry.ts'
import type { Access } from './access.ts'
import type { FhirReadPlan, FhirSearchPlan, Position } from './fhir-plan.ts'

/** Decoded, in the order given. */
export type Parameter = readonly [name: string, value: string]

/** https://hl7.org/fhir/R4/search.html#errors: `lenient` leaves out what is not supported and says so. */
export type Handling = 'strict' | 'lenient'

export interface SearchRequest {
  readonly access: Access
  readonly parameters: readonly Parameter[]
  readonly handling: Handling
  /** Absolute FHIR base of the practice, no slash at its end. */
  readonly base: string
  readonly now: Date
  /** Of an opened cursor; null for a first page. */
  readonly after: Position | null
  /** What the caller may see of an included type; null: nothing. */
  readonly accessTo: (type: FhirType) => Access | null
}

export interface CompiledSearch {
  readonly plan: FhirSearchPlan
  /** What was understood, for the `self` link. */
  readonly understood: readonly Parameter[]
  /** What was left out and why, each to be said in an OperationOutcome of the Bundle. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[]
  /** The chart that is searched; null for types outside the compartment. For the audit record. */
  readonly patientId: string | null
  /** Resources of a page, as served. */
  readonly count: number
}

/**
 * @throws Problem `validation` (400, `field` is the parameter, `fhirIssue` `required` without a patient and
 * `not-supported` for what is not offered), `forbidden` (403: a patient who is not the token's), `not_found`
 * (404: chained search, which is not available)
 */
export declare function compileSearch(request: SearchRequest): CompiledSearch

/** A read is a search by id: what is not visible is not there. */
export declare function compileRead(access: Access, id: string): FhirReadPlan
