/** Which resources stand on a page in the order of names: from the narrow rows of the roster alone. */
import { fhirTypeNumbers, searchParameterNumbers } from '../contract/fhir/registry.ts'
import { endOfPrefix } from '../contract/text/fold.ts'
import type { ListCriterion, NamePlan } from '../search/plan.ts'
import type { Bind } from './binds.ts'
import type { Choice } from './choice.ts'
import { rosterKeysMax } from './roster.ts'
import type { ConditionContext } from './search-conditions.ts'

type Of<Kind extends ListCriterion['kind']> = Extract<ListCriterion, { kind: Kind }>

export function chooseFromRoster(plan: NamePlan, context: ConditionContext): Choice {
  const { bind } = context
  // Sorted, so that plans of the same kinds have the same text.
  const criteria = [...plan.criteria].sort((one, other) => (one.kind < other.kind ? -1 : 1))
  const typed = criteria.find((each) => each.kind === 'typed')
  const others = criteria.filter((each) => each.kind !== 'typed')
  const conditions = others.map((criterion) => conditionOf(criterion, context))
  const limit = `${bind(plan.count)}::int`
  const offset = `${bind(plan.offset)}::int`
  const chosen =
    typed === undefined
      ? `SELECT k.id, ${plan.unnamed ? "''::text AS sort" : 'k.sort'} FROM clinical.roster k WHERE ${[...ofOne(context), ...conditions].join(' AND ')}`
      : others.every(isYear)
        ? rankedKeys(typed, conditions, `${offset} + ${limit} + 1`, context)
        : rankedAmong(typed, conditions, context)
  return {
    shape: ['names', ...(plan.unnamed ? ['by-id'] : []), ...criteria.map(shapeOf)],
    ctes: [],
    page: {
      sql: `SELECT chosen.id, chosen.sort FROM (${chosen}) chosen WHERE (SELECT live.ok FROM live)
        ORDER BY chosen.sort, chosen.id LIMIT ${limit} + 1 OFFSET ${offset}`,
      limit,
      hasContent: false,
    },
    order: 'p.sort, p.id',
    total: null,
  }
}

/** What it lists may be very few or very many, so that the planner would make a plan for each call. */
export function isUneven({ criteria }: NamePlan): boolean {
  return uneven.has(criteria.map(shapeOf).sort().join())
}

const uneven: ReadonlySet<string> = new Set(['', 'through', 'typed,year'])

/** Rows of the type; each resource once. */
function ofOne({ dataset, type }: ConditionContext): string[] {
  return [`k.dataset_id = ${dataset}`, `k.type = ${type}`, 'k.ordinal = 0']
}

/**
 * In the order of the matching keys, which is rank: a whole word stands before the longer ones that begin with it.
 * Every beginning is a range of one index, read in order and no further than `enough` different resources need.
 * Where nothing else is asked, as many keys of each as there may be are read: that costs less than to look which of
 * them is the first. A year of birth holds too many people to begin with them, and leaves few of those that begin
 * so: of these only the first key counts, told by a lookup that comes last, and that OFFSET keeps a lookup.
 */
function rankedKeys(
  { prefixes, namesOnly }: Of<'typed'>,
  conditions: readonly string[],
  enough: string,
  { dataset, type, bind }: ConditionContext,
): string {
  const isFirstKey = `NOT EXISTS (SELECT 1 FROM clinical.roster own WHERE own.dataset_id = ${dataset}
    AND own.type = ${type} AND own.id = k.id AND own.key >= b.low AND own.key < k.key${names('own', namesOnly)} OFFSET 0)`
  const [filter, rows] =
    conditions.length === 0
      ? ['', `(${enough}) * ${rosterKeysMax}`]
      : [` AND ${conditions.join(' AND ')} AND ${isFirstKey}`, enough]
  return `SELECT top.id, min(top.key) AS sort
    FROM ${ranges(prefixes, bind)} CROSS JOIN LATERAL (
      SELECT k.key, k.id FROM clinical.roster k
      WHERE k.dataset_id = ${dataset} AND k.type = ${type} AND k.key >= b.low AND k.key < b.high${filter}${names('k', namesOnly)}
      ORDER BY k.key, k.id LIMIT ${rows}
    ) top GROUP BY top.id`
}

/** The same rank among the few that the other criteria leave. */
function rankedAmong(
  { prefixes, namesOnly }: Of<'typed'>,
  conditions: readonly string[],
  context: ConditionContext,
): string {
  const { dataset, type, bind } = context
  return `SELECT k.id, matched.sort FROM clinical.roster k CROSS JOIN LATERAL (
      SELECT min(own.key) AS sort FROM clinical.roster own, ${ranges(prefixes, bind)}
      WHERE own.dataset_id = ${dataset} AND own.type = ${type} AND own.id = k.id
        AND own.key >= b.low AND own.key < b.high${names('own', namesOnly)}
    ) matched
    WHERE ${[...ofOne(context), ...conditions].join(' AND ')} AND matched.sort IS NOT NULL`
}

/** Record numbers have digits, and names have none. */
function names(row: string, only: boolean | undefined): string {
  return only ? ` AND ${row}.key !~ '[0-9]'` : ''
}

function shapeOf(criterion: ListCriterion): string {
  if (criterion.kind === 'typed' && criterion.namesOnly) return 'typed-names'
  return criterion.kind === 'born' ? precisionOf(criterion.prefix) : criterion.kind
}

function isYear(criterion: ListCriterion): boolean {
  return shapeOf(criterion) === 'year'
}

/** Of `yyyy`, `yyyy-mm` or `yyyy-mm-dd`. */
function precisionOf(date: string): 'year' | 'month' | 'day' {
  return date.length === 4 ? 'year' : date.length === 7 ? 'month' : 'day'
}

function ranges(prefixes: readonly string[], bind: Bind): string {
  return `unnest(${bind(prefixes)}::text[], ${bind(prefixes.map(endOfPrefix))}::text[]) AS b (low, high)`
}

function conditionOf(criterion: Exclude<ListCriterion, Of<'typed'>>, context: ConditionContext): string {
  const { dataset, type, bind } = context
  switch (criterion.kind) {
    case 'id':
      return `k.id = ${bind(criterion.id)}`
    case 'born':
      // A day is told as such, so that the planner knows how few they are and keeps its plan.
      return precisionOf(criterion.prefix) === 'day'
        ? `k.born = ${bind(criterion.prefix)}`
        : `k.born >= ${bind(criterion.prefix)} AND k.born < ${bind(endOfPrefix(criterion.prefix))}`
    case 'identifier':
      return isOneOf(`SELECT i.id FROM clinical.identifier i WHERE i.dataset_id = ${dataset} AND i.type = ${type}
        AND i.value = ${bind(criterion.value)} AND i.system = ${bind(criterion.system)}`)
    case 'through':
      return isOneOf(through(criterion, context))
    case 'nothing':
      return 'false'
  }
}

function isOneOf(ids: string): string {
  return `k.id = ANY (ARRAY(${ids}))`
}

function through(
  { type: linking, by, to, target }: Of<'through'>,
  { dataset, type, bind }: ConditionContext,
): string {
  const source = `${bind(fhirTypeNumbers[linking])}::smallint`
  return `SELECT here.target FROM clinical.link there
    JOIN clinical.link here ON here.dataset_id = ${dataset} AND here.source_type = there.source_type
      AND here.source = there.source AND here.kind = ${bind(searchParameterNumbers[by])}::smallint AND here.target_type = ${type}
    JOIN clinical.resource r ON r.dataset_id = ${dataset} AND r.type = there.source_type AND r.id = there.source
      AND NOT r.deleted AND (r.content::jsonb -> 'active') IS DISTINCT FROM 'false'::jsonb
    WHERE there.dataset_id = ${dataset} AND there.kind = ${bind(searchParameterNumbers[to])}::smallint
      AND there.target_type = ${bind(fhirTypeNumbers[target.type])}::smallint AND there.target = ${bind(target.id)}
      AND there.source_type = ${source}`
}
