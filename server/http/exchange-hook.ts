/** The hook through which the FHIR API adds calls to the log of a launch. */
import type { Problem } from '../contract/http/problems.ts'

export type AnsweredCall = Readonly<{
  clientId: string
  grantId: string
  method: string
  url: string
  status: number
  /** Other facts about the response. */
  came: Readonly<Record<string, unknown>>
  /** The reason of a refusal; null if the call was served. */
  problem: Problem | null
}>

export type Exchanges = { noteCall(call: AnsweredCall): Promise<void> }
