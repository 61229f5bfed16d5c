/** An operation as its page shows it: plain data, so that no schema travels to the browser. */
import type { LevelAnswer } from '../../../server/contract/rest/predicted-responses.ts'
import type { Comparison } from './comparisons.ts'
import type { NamedInput, RecordKind } from './input-kinds.ts'

export interface OperationSummary {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly writes: boolean
}

/** One input of a request, whichever interface describes it: OpenAPI, a CapabilityStatement or a tool’s schema. */
export interface RequestField {
  /** Of the form's input: `p.id`, `q.limit`, `h.X-Purpose`. */
  readonly input: string
  readonly name: string
  readonly place: 'path' | 'query' | 'header' | 'body' | 'token'
  readonly required: boolean
  readonly description: string
  readonly kind:
    | NamedInput['kind']
    | 'number'
    | 'digits'
    | 'choice'
    | 'checks'
    | 'list'
    | 'lines'
    | 'json'
    | 'person'
    | 'id'
    | 'canonical'
  /** Shown after the name. */
  readonly type?: string
  /** Of a record: what its id or number is of. */
  readonly of?: RecordKind | undefined
  readonly choices: readonly string[]
  /** Of choices that are not shown as they are sent. */
  readonly labels?: Readonly<Record<string, string>>
  /** The choice that sends nothing. */
  readonly none?: string
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly maxLength?: number | undefined
  readonly placeholder?: string | undefined
  /** Filled in at first. */
  readonly usual?: string
  /** How the value is compared; the first is the usual one. */
  readonly comparisons?: readonly Comparison[]
  /** In view though it is not required. */
  readonly isMain?: boolean
  /** The name of its fold. */
  readonly fold?: string
}

export interface OperationPage extends OperationSummary {
  readonly description: string
  readonly phi: boolean
  readonly fields: readonly RequestField[]
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
