/** Executes FHIR plans: one prepared statement each that asks first whether the credential is good now. */
import type { FhirType } from '../contract/fhir-registry.ts'
import type { EverythingPlan, FhirReadPlan, FhirSearchPlan, Position } from '../search/fhir-plan.ts'
import type { Liveness } from './liveness.ts'

export interface StoredResource {
  readonly type: FhirType
  readonly id: string
  /** Whose chart it lies in; null outside the compartment. For the record of access. */
  readonly patientId: string | null
  readonly version: number
  readonly lastUpdated: Date
  /** The served JSON text; a placeholder stands for the base in types whose row says so. */
  readonly content: string
}

export interface SearchPage {
  /** False: the credential is not good (any more), or its practice has moved; nothing was read. */
  readonly alive: boolean
  /** Null on pages after the first: the cursor carries it. */
  readonly total: number | null
  readonly matches: readonly StoredResource[]
  readonly included: readonly StoredResource[]
  /** More was to be included than a page holds; the answer has to say so. */
  readonly includedCut: boolean
  /** Where the next page begins; null at the end. */
  readonly next: Position | null
}

export interface FhirStore {
  /** @throws Problem `unavailable` without a connection within 1 s or an answer within 5 s. */
  search(datasetId: number, plan: FhirSearchPlan, liveness: Liveness): Promise<SearchPage>
  /** `resource` is null for what is not there and for what is not visible. */
  read(
    datasetId: number,
    plan: FhirReadPlan,
    liveness: Liveness,
  ): Promise<{ readonly alive: boolean; readonly resource: StoredResource | null }>
  /** `found` is false without such a patient. */
  everything(
    datasetId: number,
    plan: EverythingPlan,
    liveness: Liveness,
  ): Promise<SearchPage & { readonly found: boolean }>
}
