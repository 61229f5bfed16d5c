/** What a search asks of the store. Made by the compilers in this folder, executed by `store/find`. */
import type { FhirType, SearchParameterName } from '../contract/fhir/registry.ts'

export type Criterion =
  /** One resource by its id: a read is a search with `_id`. */
  | { readonly kind: 'id'; readonly id: string }
  /** Beginnings, any of them, of keys in the roster: folded names in either order, their words, numbers. Ranks. */
  | { readonly kind: 'roster'; readonly prefixes: readonly string[] }
  /** ISO date prefix of the date of birth: year, month or day. */
  | { readonly kind: 'born'; readonly prefix: string }
  /** Exact, letter case too. */
  | { readonly kind: 'identifier'; readonly system: string; readonly value: string }
  /** Refers to one of these; such a list has no names and is in the order of ids. */
  | {
      readonly kind: 'refersTo'
      readonly by: SearchParameterName
      readonly target: { readonly type: FhirType; readonly ids: readonly string[] }
    }
  /** A resource of `type` that is in use refers to it `by` one parameter, and `to` the target by another. */
  | {
      readonly kind: 'through'
      readonly type: FhirType
      readonly by: SearchParameterName
      readonly to: SearchParameterName
      readonly target: { readonly type: FhirType; readonly id: string }
    }
  /** Nothing matches; the store is asked all the same, for the credential's sake. */
  | { readonly kind: 'nothing' }

export interface SearchPlan {
  readonly type: FhirType
  /** All of them hold; each kind at most once. */
  readonly criteria: readonly Criterion[]
  /** Order is by the key that `roster` found, closest first, else by folded family and given; then by id. */
  readonly limit: number
  readonly offset: number
}
