/** What a search asks of the store. Made by the compilers in this folder, executed by `store/find`. */
import type { FhirType } from '../contract/fhir-registry.ts'

export type Criterion =
  /** One resource by its id: a read is a search with `_id`. */
  | { readonly kind: 'id'; readonly id: string }
  /** Beginnings, any of them, of keys in the roster: folded names in either order, their words, numbers. */
  | { readonly kind: 'roster'; readonly prefixes: readonly string[] }
  /** The same for a beginning of one letter, which has an index of its own. */
  | { readonly kind: 'initial'; readonly letter: string }
  /** ISO date prefix of the date of birth: year, month or day. */
  | { readonly kind: 'born'; readonly prefix: string }
  /** Exact, letter case too. */
  | { readonly kind: 'identifier'; readonly system: string; readonly value: string }
  /** Nothing matches; the store is asked all the same, for the credential's sake. */
  | { readonly kind: 'nothing' }

export interface SearchPlan {
  readonly type: FhirType
  /** All of them hold; each kind at most once. */
  readonly criteria: readonly Criterion[]
  /** Order is by folded family, given, id. */
  readonly limit: number
  readonly offset: number
}
