/** What a search, a read or `$everything` asks of the store. Made by the compilers here, executed by `store/search`. */
import type { FhirType, SearchParameterName } from '../contract/fhir/registry.ts'

/** A code as asked for. Codes are compared without letter case, systems exactly. */
export interface TokenValue {
  /** Null: of any system; '' : of none. */
  readonly system: string | null
  /** Null: any code of the system. */
  readonly code: string | null
}

/**
 * Of a resource's half-open interval [low, high): `lowMin <= low < lowMax` and `highMin < high <= highMax`.
 * Texts that PostgreSQL reads as timestamptz, `-infinity` and `infinity` among them.
 */
export interface DateBounds {
  readonly lowMin: string
  readonly lowMax: string
  readonly highMin: string
  readonly highMax: string
}

export interface StringValue {
  readonly match: 'prefix' | 'contains' | 'exact'
  /** By `contract/fold`; never empty. */
  readonly folded: string
  /** As it was given; decides where the match is exact. */
  readonly text: string
}

/** Numbers are those of the registry. Values of a list are alternatives. */
export type Criterion =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'tokens'
      readonly parameter: number
      readonly values: readonly TokenValue[]
      readonly negated: boolean
      /** Canonical URLs: letter case counts. */
      readonly exact: boolean
    }
  | {
      readonly kind: 'identifiers'
      readonly values: readonly TokenValue[]
      readonly negated: boolean
    }
  | {
      readonly kind: 'strings'
      readonly parameter: number
      readonly match: StringValue['match']
      readonly values: readonly StringValue[]
      /** Where the content has the texts, for an exact match. */
      readonly paths: readonly string[]
    }
  /** The row itself has the sort date and the time of change; other dates have rows of their own. */
  | {
      readonly kind: 'dates'
      readonly of: 'sort' | 'updated' | 'moment'
      readonly parameter: number
      readonly bounds: readonly DateBounds[]
    }
  | {
      readonly kind: 'links'
      readonly parameter: number
      readonly targets: readonly { readonly type: FhirType; readonly id: string }[]
    }
  /** Carries no label of restricted data. */
  | { readonly kind: 'unprotected' }
  /** Whether the resource has no value that the parameter could match. */
  | {
      readonly kind: 'missing'
      readonly of: 'tokens' | 'identifiers' | 'strings' | 'sort' | 'moment' | 'links'
      readonly parameter: number
      readonly missing: boolean
    }

/** What a list in the order of names can be narrowed to. */
export type ListCriterion =
  | { readonly kind: 'id'; readonly id: string }
  /** Beginnings, any of them, of keys in the roster: folded names in either order, their words, numbers. Ranks. */
  | {
      readonly kind: 'typed'
      readonly prefixes: readonly string[]
      /** Numbers find no one. */
      readonly namesOnly?: true
    }
  /** ISO date prefix of the date of birth: year, month or day. */
  | { readonly kind: 'born'; readonly prefix: string }
  /** Exact, letter case too. */
  | { readonly kind: 'identifier'; readonly system: string; readonly value: string }
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

/** Codes that a resource must have one of, for a caller whose scopes are narrowed. */
export type ScopeCodes = readonly (TokenValue & { readonly parameter: number })[]

/** What a caller may see of one type, in one chart or in none. */
export interface Visible {
  readonly type: FhirType
  /** Only of this chart; null: of a search, what lies in no chart; of a read, no matter whose. */
  readonly patientId: string | null
  /** Null: all. */
  readonly codes: ScopeCodes | null
}

export interface TimeSort {
  readonly by: 'date' | 'updated'
  readonly descending: boolean
}

/** The last resource of a page; the next begins after it. */
export interface Position {
  /** As PostgreSQL writes it, microseconds and infinity included. */
  readonly sort: string
  readonly id: string
  /** Where a page holds several types. */
  readonly type?: FhirType
}

export interface IncludePlan {
  /** `forward`: what a match refers to; `reverse`: what refers to a match. */
  readonly direction: 'forward' | 'reverse'
  /** Number of the parameter that holds the reference. */
  readonly parameter: number
  /** Of what is added. */
  readonly visible: Visible
}

interface Page {
  /** Resources of a page; 0: the total alone. */
  readonly count: number
  readonly includes: readonly IncludePlan[]
}

/** From one chart, or from resources outside all charts, ordered by a time. */
export interface TimePlan extends Page {
  readonly visible: Visible
  /** All of them hold. */
  readonly criteria: readonly Criterion[]
  readonly sort: TimeSort
  /** Null: from the beginning. Of later pages the total is not counted again. */
  readonly after: Position | null
}

/**
 * Of the whole practice, no matter whose, in the order of names: by the key that was typed, closest first, else by
 * folded family and given name; then by id. Never counted.
 */
export interface NamePlan extends Page {
  readonly visible: Visible & { readonly patientId: null; readonly codes: null }
  /** All of them hold; each kind at most once. */
  readonly criteria: readonly ListCriterion[]
  readonly sort: { readonly by: 'name' }
  /** So many stand on the pages before. */
  readonly offset: number
  /** In the order of ids, for a caller who must learn nothing of names. */
  readonly unnamed?: true
  /** For the content, the stored REST record of a match where there is one of this release. */
  readonly asRecords?: true
}

export type SearchPlan = TimePlan | NamePlan

export const isByName = (plan: SearchPlan): plan is NamePlan => plan.sort.by === 'name'

/** A read: a resource by its id, if any of these lets it through. */
export interface ReadPlan {
  readonly type: FhirType
  readonly id: string
  readonly visible: readonly Visible[]
}

/** A chart, page by page, with what its resources refer to outside of it. */
export interface EverythingPlan {
  readonly patientId: string
  /** Of the chart. */
  readonly types: readonly FhirType[]
  /** Outside the chart; what refers to further ones is followed. */
  readonly referred: readonly Visible[]
  /** Changed after this instant. */
  readonly since: string | null
  /** Resources with a date overlap it; those without one are in. */
  readonly care: DateBounds | null
  readonly count: number
  readonly after: Position | null
}
