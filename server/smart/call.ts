/** One request, and what is known of it so far. */

import type { FaultStep } from '../contract/lab/fault-script.ts'
import type { SmartPractice } from '../domain/practices/fhir-access.ts'
import type { Edge } from '../http/edge.ts'

export type SmartCall = {
  readonly request: Request
  readonly edge: Edge
  /** Of the path. */
  readonly slug: string
  practice: SmartPractice | null
  /** An app that exists, whether or not it has proved to be it: to whom the request is logged. */
  clientId: string | null
  /** What the Fault Lab injected. */
  fault: FaultStep | null
  alive: boolean
  /** Whom a token was given for, for the practice's record. */
  patientId: string | null
}
