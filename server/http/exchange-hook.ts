/** Where the FHIR API lets the log of a launch in, once a request is answered. */
import type { Problem } from '../contract/http/problems.ts'

export type AnsweredCall = Readonly<{
  clientId: string
  grantId: string
  method: string
  url: string
  status: number
  /** What else is worth seeing of the answer. */
  came: Readonly<Record<string, unknown>>
  /** Why it was refused; null: it was served. */
  problem: Problem | null
}>

export type Exchanges = { noteCall(call: AnsweredCall): Promise<void> }
