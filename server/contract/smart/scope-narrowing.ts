/**
 * What scopes permit, and how less is granted than was asked: asked ∩ registered ∩ approved ∩ policy, then what
 * a person ticked. Nothing here ever gives back more than went in.
 */
import { type FhirType, fhirTypeNumbers } from '../fhir/registry.ts'
import { formatScope, isTypeOfContext, type ResourceScope, type Scope, type ScopeFilter } from './scopes.ts'

const allTypes = Object.keys(fhirTypeNumbers).sort() as readonly FhirType[]

/** The types a scope covers: one, or for a wildcard every type its context may see. */
export const typesOf = ({ context, type }: Pick<ResourceScope, 'context' | 'type'>): readonly FhirType[] =>
  type === '*' ? allTypes.filter((each) => isTypeOfContext(context, each)) : [type]

/** The scopes that let a caller read or search a type, filters and all; none means 403. */
export function scopesFor(
  scopes: readonly Scope[],
  type: FhirType,
  access: 'read' | 'search',
): readonly ResourceScope[] {
  return scopes.filter(
    (scope): scope is ResourceScope =>
      scope.kind === 'resource' &&
      scope[access] &&
      (scope.type === type || (scope.type === '*' && isTypeOfContext(scope.context, type))),
  )
}

/** Whether everything that `wanted` permits is permitted by one of these. */
export const covers = (scopes: readonly Scope[], wanted: Scope): boolean =>
  scopes.some((scope) => coversAlone(scope, wanted))

/**
 * What may be granted of what was asked.
 * @param ceilings each a bound of its own: what the app registered, what was approved, what a person chose
 */
export function narrow(
  requested: readonly Scope[],
  ...ceilings: readonly (readonly Scope[])[]
): readonly Scope[] {
  const within = ceilings.reduce<readonly Scope[]>(
    (scopes, ceiling) =>
      scopes.flatMap((scope) => {
        const met = ceiling.flatMap((bound) => meet(scope, bound) ?? [])
        return met.filter(
          (one, at) => !met.some((other, index) => index !== at && hides(other, one, index < at)),
        )
      }),
    requested,
  )
  return withoutWholeBesideGranular(distinct(within))
}

/** Only scopes that cover these types; null keeps all. A wildcard becomes the types it may still mean. */
export function narrowToTypes(scopes: readonly Scope[], types: readonly string[] | null): readonly Scope[] {
  if (types === null) return scopes
  return distinct(
    scopes.flatMap((scope): readonly Scope[] =>
      scope.kind === 'launch'
        ? [scope]
        : typesOf(scope)
            .filter((type) => types.includes(type))
            .map((type) => ({ ...scope, type })),
    ),
  )
}

/**
 * The narrower wins: where a granular scope covers a type, no whole-type scope for it remains, and a wildcard
 * becomes the other types.
 */
function withoutWholeBesideGranular(scopes: readonly Scope[]): readonly Scope[] {
  const granular = new Set(
    scopes.flatMap((scope) => (scope.kind === 'resource' && scope.filter !== null ? typesOf(scope) : [])),
  )
  if (granular.size === 0) return scopes
  return distinct(
    scopes.flatMap((scope): readonly Scope[] => {
      if (scope.kind === 'launch' || scope.filter !== null) return [scope]
      const types = typesOf(scope)
      const left = types.filter((type) => !granular.has(type))
      return left.length === types.length ? [scope] : left.map((type) => ({ ...scope, type }))
    }),
  )
}

/** What both permit, in the first one's syntax; null for nothing, or nothing that one scope can say. */
function meet(requested: Scope, bound: Scope): Scope | null {
  if (requested.kind === 'launch' || bound.kind === 'launch')
    return formatScope(requested) === formatScope(bound) ? requested : null
  if (requested.context !== bound.context) return null
  const type = requested.type === '*' ? bound.type : requested.type
  if (bound.type !== '*' && bound.type !== type) return null
  const read = requested.read && bound.read
  const search = requested.search && bound.search
  if (!read && !search) return null
  const filter = meetFilters(requested.filter, bound.filter)
  if (filter === undefined) return null
  // Version 1 has no words for half an access or a filter.
  const version = filter === null && read && search ? requested.version : 2
  return { kind: 'resource', context: requested.context, type, read, search, filter, version }
}

/** @returns undefined when nothing, or nothing that one filter can say, passes both */
function meetFilters(one: ScopeFilter | null, other: ScopeFilter | null): ScopeFilter | null | undefined {
  if (one === null || other === null) return one ?? other
  if (isWithin(one, other)) return one
  return isWithin(other, one) ? other : undefined
}

function isWithin(inner: ScopeFilter, outer: ScopeFilter): boolean {
  return (
    inner.parameter === outer.parameter &&
    inner.code === outer.code &&
    (outer.system === null || outer.system === inner.system)
  )
}

function coversAlone(scope: Scope, wanted: Scope): boolean {
  if (scope.kind === 'launch' || wanted.kind === 'launch') return formatScope(scope) === formatScope(wanted)
  return (
    scope.context === wanted.context &&
    (scope.type === '*' || scope.type === wanted.type) &&
    (scope.read || !wanted.read) &&
    (scope.search || !wanted.search) &&
    (scope.filter === null || (wanted.filter !== null && isWithin(wanted.filter, scope.filter)))
  )
}

/** Of two that came from one asked scope, whether the first makes the second needless. */
const hides = (other: Scope, one: Scope, isEarlier: boolean): boolean =>
  coversAlone(other, one) && (isEarlier || !coversAlone(one, other))

function distinct(scopes: readonly Scope[]): readonly Scope[] {
  return [...new Map(scopes.map((scope) => [formatScope(scope), scope])).values()]
}
