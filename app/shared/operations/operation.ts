/** An operation as its page shows it: plain data, so that no schema travels to the browser. */
import type { Comparison } from './comparisons.ts'
import type { NamedInput, PersonField } from './input-kinds.ts'

/** One input of a request, whichever interface describes it: OpenAPI, a CapabilityStatement or a tool’s schema. */
export interface RequestField {
  /** The name of the form's input: `p.id`, `q.limit`, `h.X-Purpose`. */
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
  /** The identifier by which the field names a person, if it does. */
  readonly of?: PersonField | undefined
  readonly choices: readonly string[]
  /** Labels of choices that are not shown as they are sent. */
  readonly labels?: Readonly<Record<string, string>>
  /** The choice that sends nothing. */
  readonly none?: string
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly maxLength?: number | undefined
  readonly placeholder?: string | undefined
  /** The value that is filled in at first. */
  readonly usual?: string
  /** Comparisons to choose from. The first is the default. */
  readonly comparisons?: readonly Comparison[]
  /** The field is in view although it is not required. */
  readonly isMain?: boolean
  /** The title of the section that hides the field. */
  readonly fold?: string
}
