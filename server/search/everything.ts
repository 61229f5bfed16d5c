/** `Patient/{id}/$everything`, https://hl7.org/fhir/R4/patient-operation-everything.html */
import type { FhirType } from '../contract/fhir-registry.ts'
import type { Access } from './access.ts'
import type { Handling, Parameter } from './compile.ts'
import type { EverythingPlan, Position } from './fhir-plan.ts'

export interface EverythingRequest {
  readonly patientId: string
  /** `_type`, `_since`, `start`, `end`, `_count`; decoded. */
  readonly parameters: readonly Parameter[]
  readonly handling: Handling
  readonly after: Position | null
  /** What the caller may read and may search of a type; null: nothing. */
  readonly accessTo: (type: FhirType, interaction: 'read' | 'search') => Access | null
}

export interface CompiledEverything {
  readonly plan: EverythingPlan
  readonly understood: readonly Parameter[]
  readonly ignored: readonly { readonly name: string; readonly reason: string }[]
  readonly count: number
}

/**
 * @throws Problem `forbidden` unless every type of the chart may be read and searched without a filter,
 * `not_found` for a patient who is not the token's, `validation`
 */
export declare function compileEverything(request: EverythingRequest): CompiledEverything
