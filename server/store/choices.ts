import { fhirTypeNumbers, registryRow, searchParameterNumbers } from '../contract/fhir/registry.ts'
import { endOfPrefix } from '../contract/text/fold.ts'
import type { Criterion, ListCriterion, NamePlan, TimePlan } from '../search/plan.ts'
import { rosterKeysMax } from './roster.ts'
import {
  byKey,
  type Condition,
  type ConditionContext,
  candidatesOf,
  conditionOf,
  scopeCondition,
} from './search-conditions.ts'
import type { Bind } from './statements.ts'

/** SQL parts that select the resources of a page. */
interface Choice {
  /** Choices of equal shape have the same SQL. */
  readonly shape: readonly string[]
  readonly ctes: readonly string[]
  /**
   * Selects `id` and `sort`, and `content` if `hasContent`, of one resource more than the page holds. Null if only the
   * total is requested.
   */
  readonly page: { readonly sql: string; readonly limit: string; readonly hasContent: boolean } | null
  /** An ORDER BY of the page's columns, such as `p.sort DESC, p.id DESC`. */
  readonly order: string
  /** A query for the total, which may use the CTE `listed`; null if the total is not counted. */
  readonly total: string | null
}

// Selects the resources of a chart, or outside all charts, by an index-only scan of the covering index.

export function chooseFromChart(plan: TimePlan, context: ConditionContext): Choice {
  const { visible, sort, after, count } = plan
  const { dataset, type, patient, bind } = context
  // Sorting makes searches with the same parameters in another order share a statement.
  const criteria = [...plan.criteria].sort((one, other) => (one.kind < other.kind ? -1 : 1))
  const conditions = criteria.map((criterion) => conditionOf(criterion, context))
  const where = [
    '(SELECT live.ok FROM live)',
    `r.dataset_id = ${dataset}`,
    `r.type = ${type}`,
    patient === null ? 'r.patient_id IS NULL' : `r.patient_id = ${patient}`,
    'NOT r.deleted',
    ...(visible.codes === null ? [] : [scopeCondition(visible.codes, bind)]),
    ...conditions.map(({ sql }) => sql),
  ].join(' AND ')
  const column = sort.by === 'updated' ? 'r.last_updated' : 'r.date'
  const direction = sort.descending ? 'DESC' : 'ASC'
  const candidates = chooseCandidates(criteria, context)
  const hasContent = isInOrder(plan)
  const select = `SELECT r.id, ${column} AS sort`
  const ways = { hasCandidates: candidates !== null, fenced: sort.by === 'updated' && patient !== null }
  const unordered = matching(select, where, '', { ...ways, fenced: false }, context)
  const all = `SELECT count(*) FROM (${unordered}) matched`
  const known = {
    shape: [
      patient === null ? 'outside' : 'chart',
      visible.codes === null ? '' : 'scoped',
      candidates?.shape ?? '',
      ...conditions.map((condition) => condition.shape),
      sort.by,
      direction,
    ],
    ctes: candidates === null ? [] : [fewCte(candidates.sql)],
    order: `p.sort ${direction}, p.id ${direction}`,
  }
  if (count === 0) return { ...known, page: null, total: all }
  const limit = `${bind(count)}::int`
  const position =
    after === null
      ? ''
      : `AND (${column}, r.id) ${sort.descending ? '<' : '>'} (${bind(after.sort)}::timestamptz, ${bind(after.id)}::text)`
  const ordered = `${position} ORDER BY ${column} ${direction}, r.id ${direction} LIMIT ${limit} + 1`
  return {
    ...known,
    shape: [...known.shape, after === null ? 'first' : 'next'],
    page: {
      sql: hasContent
        ? `${select}, r.content FROM clinical.resource r WHERE ${where} ${ordered}`
        : `SELECT m.id, m.sort FROM (${matching(select, where, ordered, ways, context)}) m
        ORDER BY m.sort ${direction}, m.id ${direction} LIMIT ${limit} + 1`,
      limit,
      hasContent,
    },
    total: after === null ? pageTotal(all, limit) : null,
  }
}

/**
 * Whether the page is simply the next rows of the chart's index, so that the statement can read their content at once. Any
 * filter would read the content of rows that it drops: then the index selects the ids first.
 */
function isInOrder({ criteria, visible, sort }: TimePlan): boolean {
  return criteria.length === 0 && visible.codes === null && sort.by === 'date'
}

/** Up to this many candidates are looked up by key. If there are more, the chart is read in its order. */
const fewMax = 300

/** A type with `compartment: 'self'` has one resource in each chart, so candidates would not be faster. */
function chooseCandidates(criteria: readonly Criterion[], context: ConditionContext): Condition | null {
  if (registryRow(context.fhirType).compartment === 'self') return null
  const byWorth = ['ids', 'identifiers', 'links', 'tokens', 'strings']
  for (const kind of byWorth) {
    for (const criterion of criteria) {
      const candidates = criterion.kind === kind ? candidatesOf(criterion, context) : null
      if (candidates !== null) return candidates
    }
  }
  return null
}

function fewCte(candidates: string): string {
  return `few AS MATERIALIZED (SELECT c.id FROM (${candidates}) c WHERE (SELECT live.ok FROM live)
    LIMIT ${fewMax + 1})`
}

/**
 * Finds the resources in one of two ways, which the statement picks while it runs: a few candidates by their keys, or many
 * by the index of the chart, in its order.
 */
function matching(
  select: string,
  where: string,
  ordered: string,
  { hasCandidates, fenced }: { hasCandidates: boolean; fenced: boolean },
  { dataset, type }: ConditionContext,
): string {
  // Without the OFFSET, the planner would scan the practice's index of changes until it found enough rows of this chart.
  const chart = (suffix: string) =>
    fenced
      ? `${select} FROM (SELECT * FROM clinical.resource r WHERE ${where} ${suffix} OFFSET 0) r WHERE true`
      : `${select} FROM clinical.resource r WHERE ${where} ${suffix}`
  if (!hasCandidates) return `${chart('')} ${ordered}`
  return `(${select} FROM (SELECT DISTINCT few.id FROM few) candidate
      CROSS JOIN LATERAL (${byKey(dataset, type, 'candidate.id')}) r
    WHERE (SELECT count(*) FROM few) <= ${fewMax} AND ${where} ${ordered})
    UNION ALL
    (${chart(`AND (SELECT count(*) FROM few) > ${fewMax}`)} ${ordered})`
}

/** If the page is not full, its length is the total. @param all a query that counts all matches */
export function pageTotal(all: string, limit: string): string {
  return `SELECT CASE WHEN (SELECT count(*) FROM listed) <= ${limit} THEN (SELECT count(*) FROM listed)
    ELSE (${all}) END`
}

// Selects the resources of a page in the order of names from the roster, whose rows are narrow.

type Of<Kind extends ListCriterion['kind']> = Extract<ListCriterion, { kind: Kind }>

export function chooseFromRoster(plan: NamePlan, context: ConditionContext): Choice {
  const { bind } = context
  // Sorting makes plans with the same kinds of criteria share a statement.
  const criteria = [...plan.criteria].sort((one, other) => (one.kind < other.kind ? -1 : 1))
  const typed = criteria.find((criterion) => criterion.kind === 'typed')
  const others = criteria.filter((criterion) => criterion.kind !== 'typed')
  const conditions = others.map((criterion) => rosterConditionOf(criterion, context))
  const limit = `${bind(plan.count)}::int`
  const offset = `${bind(plan.offset)}::int`
  const chosen =
    typed === undefined
      ? `SELECT k.id, ${plan.unnamed ? "''::text AS sort" : 'k.sort'} FROM clinical.roster k WHERE ${[...firstRowConditions(context), ...conditions].join(' AND ')}`
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

/** Conditions for the first roster row of each resource of the type. */
function firstRowConditions({ dataset, type }: ConditionContext): string[] {
  return [`k.dataset_id = ${dataset}`, `k.type = ${type}`, 'k.ordinal = 0']
}

/**
 * Orders results by their matching keys, so that a whole word comes before longer words that begin with it. Each prefix is
 * a range of one index, read in order until there are `enough` different resources. Without other conditions the query
 * reads `rosterKeysMax` keys for each resource, which costs less than finding its first matching key. A year of birth
 * matches too many people to start from, but leaves few of those with the prefix: for them `isFirstKey` decides. It comes
 * last, and its OFFSET keeps the planner from turning it into a join.
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

/** Orders by the same rank, but starts from the few resources that match the other criteria. */
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
    WHERE ${[...firstRowConditions(context), ...conditions].join(' AND ')} AND matched.sort IS NOT NULL`
}

/** Leaves out keys with digits: they are record numbers, because names have no digits. */
function names(row: string, namesOnly: boolean | undefined): string {
  return namesOnly ? ` AND ${row}.key !~ '[0-9]'` : ''
}

function shapeOf(criterion: ListCriterion): string {
  if (criterion.kind === 'typed' && criterion.namesOnly) return 'typed-names'
  return criterion.kind === 'born' ? precisionOf(criterion.prefix) : criterion.kind
}

function isYear(criterion: ListCriterion): boolean {
  return shapeOf(criterion) === 'year'
}

/** @param date `yyyy`, `yyyy-mm` or `yyyy-mm-dd` */
function precisionOf(date: string): 'year' | 'month' | 'day' {
  return date.length === 4 ? 'year' : date.length === 7 ? 'month' : 'day'
}

function ranges(prefixes: readonly string[], bind: Bind): string {
  return `unnest(${bind(prefixes)}::text[], ${bind(prefixes.map(endOfPrefix))}::text[]) AS b (low, high)`
}

function rosterConditionOf(criterion: Exclude<ListCriterion, Of<'typed'>>, context: ConditionContext) {
  const { dataset, type, bind } = context
  switch (criterion.kind) {
    case 'id':
      return `k.id = ${bind(criterion.id)}`
    case 'born':
      // A day is compared by equality, so that the planner knows how few rows match.
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
