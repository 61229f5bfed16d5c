/** Plans of searches, reads and `$everything`: the compilers in this folder create them, and store/search.ts executes them. */
import type { FhirType, SearchParameterName } from '../contract/fhir/registry.ts'

/** A requested code. Codes are compared case-insensitively, systems exactly. */
export interface TokenValue {
  /** Null for any system; '' for codes without a system. */
  readonly system: string | null
  /** Null for any code of the system. */
  readonly code: string | null
}

/**
 * Bounds for a resource's half-open interval [low, high): `lowMin <= low < lowMax` and `highMin < high <= highMax`. The
 * values are PostgreSQL timestamptz texts, including `-infinity` and `infinity`.
 */
export interface DateBounds {
  readonly lowMin: string
  readonly lowMax: string
  readonly highMin: string
  readonly highMax: string
}

export interface StringValue {
  readonly match: 'prefix' | 'contains' | 'exact'
  /** Folded by contract/text/fold.ts; never empty. */
  readonly folded: string
  /** The original text, for exact matches. */
  readonly text: string
}

/** A criterion of a search. Parameters are numbers of the registry, and the values of a list are alternatives. */
export type Criterion =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'tokens'
      readonly parameter: number
      readonly values: readonly TokenValue[]
      readonly negated: boolean
      /** Case-sensitive, for canonical URLs. */
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
      /** Paths of the texts in the content, for an exact match. */
      readonly paths: readonly string[]
    }
  /** The sort date and lastUpdated are columns of the resource; other dates have their own rows. */
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
  /** The resource has no label of specially protected data. */
  | { readonly kind: 'unprotected' }
  /** The resource has no value for the parameter; the opposite if `missing` is false. */
  | {
      readonly kind: 'missing'
      readonly of: 'tokens' | 'identifiers' | 'strings' | 'sort' | 'moment' | 'links'
      readonly parameter: number
      readonly missing: boolean
    }

/** A criterion of a list in the order of names. */
export type ListCriterion =
  | { readonly kind: 'id'; readonly id: string }
  /** Prefixes of roster keys, one of which must match. Results are ranked by the matching key. */
  | {
      readonly kind: 'typed'
      readonly prefixes: readonly string[]
      /** Does not match record numbers. */
      readonly namesOnly?: true
    }
  /** ISO date prefix of the date of birth: year, month or day. */
  | { readonly kind: 'born'; readonly prefix: string }
  /** An exact, case-sensitive match. */
  | { readonly kind: 'identifier'; readonly system: string; readonly value: string }
  /** An active resource of `type` refers to the match with the parameter `by`, and to `target` with `to`. */
  | {
      readonly kind: 'through'
      readonly type: FhirType
      readonly by: SearchParameterName
      readonly to: SearchParameterName
      readonly target: { readonly type: FhirType; readonly id: string }
    }
  /** Matches nothing. The statement still runs, to check the credential. */
  | { readonly kind: 'nothing' }

/** Codes from filters of scopes, one of which a resource must have. */
export type ScopeCodes = readonly (TokenValue & { readonly parameter: number })[]

/** The resources of a type that a caller may see. */
export interface Visible {
  readonly type: FhirType
  /** The chart; null means outside all charts for a search, and any chart for a read. */
  readonly patientId: string | null
  /** Null for all resources. */
  readonly codes: ScopeCodes | null
}

export interface TimeSort {
  readonly by: 'date' | 'updated'
  readonly descending: boolean
}

/** The last resource of a page. The next page begins after it. */
export interface Position {
  /** The sort value as PostgreSQL text, with microseconds or infinity. */
  readonly sort: string
  readonly id: string
  /** Set for pages with several types. */
  readonly type?: FhirType
}

export interface IncludePlan {
  /** `forward` includes resources that a match refers to; `reverse` includes resources that refer to a match. */
  readonly direction: 'forward' | 'reverse'
  /** The number of the reference parameter. */
  readonly parameter: number
  /** Limits the included resources. */
  readonly visible: Visible
}

interface Page {
  /** The page size; 0 requests only the total. */
  readonly count: number
  readonly includes: readonly IncludePlan[]
}

/** A search in a chart, or outside all charts, sorted by a time. */
export interface TimePlan extends Page {
  readonly visible: Visible
  /** A match meets all criteria. */
  readonly criteria: readonly Criterion[]
  readonly sort: TimeSort
  /** Null for the first page. Later pages do not count the total again. */
  readonly after: Position | null
}

/**
 * A search of the whole practice without a total. Results are sorted by the matching key if there is a `typed` criterion, or
 * else by folded family and given name, and then by id.
 */
export interface NamePlan extends Page {
  readonly visible: Visible & { readonly patientId: null; readonly codes: null }
  /** A match meets all criteria. Each kind appears at most once. */
  readonly criteria: readonly ListCriterion[]
  readonly sort: { readonly by: 'name' }
  /** The number of results on earlier pages. */
  readonly offset: number
  /** Sorts by id, for a caller who may not see names. */
  readonly unnamed?: true
  /** The content is the stored REST record, if this release has computed it. */
  readonly asRecords?: true
}

export type SearchPlan = TimePlan | NamePlan

export const isByName = (plan: SearchPlan): plan is NamePlan => plan.sort.by === 'name'

/** Reads a resource by its id, if one of `visible` allows it. */
export interface ReadPlan {
  readonly type: FhirType
  readonly id: string
  readonly visible: readonly Visible[]
}

/** A page of a chart, with the outside resources that it refers to. */
export interface EverythingPlan {
  readonly patientId: string
  /** Types in the chart. */
  readonly types: readonly FhirType[]
  /** Types outside the chart. References between them are followed. */
  readonly referred: readonly Visible[]
  /** Only resources that changed after this time. */
  readonly since: string | null
  /** Only resources whose date overlaps it, and those without a date. */
  readonly care: DateBounds | null
  readonly count: number
  readonly after: Position | null
}
