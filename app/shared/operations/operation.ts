/** An operation as its page shows it: plain data, so that no schema travels to the browser. */
import type { LevelAnswer } from '../../../server/contract/rest/predicted-responses.ts'
import type { NamedInput, RecordKind } from './input-kinds.ts'

export interface OperationSummary {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly writes: boolean
}

export interface OperationField {
  /** Of the form's input: `p.id`, `q.limit`, `h.X-Purpose`. */
  readonly input: string
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly kind: NamedInput['kind'] | 'number' | 'choice'
  /** Of a record: what its id or number is of. */
  readonly of?: RecordKind | undefined
  readonly choices: readonly string[]
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly maxLength?: number | undefined
  readonly placeholder?: string | undefined
}

export interface OperationPage extends OperationSummary {
  readonly description: string
  readonly phi: boolean
  readonly fields: readonly OperationField[]
  /** A JSON body to begin with; null for an operation without one. */
  readonly bodyExample: string | null
  readonly bodyFields: readonly BodyField[]
  readonly answers: string
  readonly success: number
  readonly example: string
  readonly refusals: readonly OperationRefusal[]
  readonly levels: readonly LevelAnswer[]
  readonly bounds: readonly string[]
}

export interface BodyField {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
}

export interface OperationRefusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** The values of a form, by the names of its inputs. */
export type Filled = Readonly<Record<string, string>>
