/** What the request's thread and a writer's thread say to each other. All of it can be cloned. */
import type { ProblemKind } from '../contract/http/problems.ts'
import type { ChartOptions } from './chart.ts'

/** Of each thread. */
export const writerConnections = 2

export type CcdFormat = 'xml' | 'html'

/** One document to be written; its pieces go to the port that comes with it. */
export type WriteOrder = Readonly<{ format: CcdFormat; chart: Omit<ChartOptions, 'store'> }>

/** To the port, in this order: pieces, then one end or failure. Each piece is answered with `more`. */
export type WriterMessage =
  | Readonly<{ kind: 'piece'; text: string }>
  | Readonly<{ kind: 'end' }>
  /** Of a fault that is no problem of the contract only the message is known. */
  | Readonly<{
      kind: 'failed'
      problem: Readonly<{ kind: ProblemKind; detail?: string; retryAfterSeconds?: number }> | null
      message: string
    }>
