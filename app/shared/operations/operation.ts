/** An operation as its page shows it: plain data, so that no schema travels to the browser. */
import type { Comparison } from './comparisons.ts'
import type { NamedInput, PersonField } from './input-kinds.ts'

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
  /** Of a field that names a person: by what. */
  readonly of?: PersonField | undefined
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
