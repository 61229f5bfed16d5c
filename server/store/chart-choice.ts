/** Which resources of a chart, or outside all charts, are on a page: read from the covering index alone. */
import { registryRow } from '../contract/fhir/registry.ts'
import type { Criterion, TimePlan } from '../search/plan.ts'
import type { Choice } from './choice.ts'
import {
  byKey,
  type Condition,
  type ConditionContext,
  candidatesOf,
  conditionOf,
  scopeCondition,
} from './search-conditions.ts'

export function chooseFromChart(plan: TimePlan, context: ConditionContext): Choice {
  const { visible, sort, after, count } = plan
  const { dataset, type, patient, bind } = context
  // Sorted, so that the order in which a caller writes them makes no other statement.
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
 * Nothing narrows the page, so that it is the next rows of the chart's index, which leads to their content, too. Where
 * something does, rows would be read that are left out again: then the index alone says which they are.
 */
function isInOrder({ criteria, visible, sort }: TimePlan): boolean {
  return criteria.length === 0 && visible.codes === null && sort.by === 'date'
}

/** So many candidates are looked at one by one; more, and the chart is read in its order. */
const fewMax = 300

/** Of a chart that is one resource, nothing is faster than that. */
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
 * The same resources by one of two ways, decided while the statement runs: candidates by their keys when they are
 * few, else by the index of the chart, in its order.
 */
function matching(
  select: string,
  where: string,
  ordered: string,
  { hasCandidates, fenced }: { hasCandidates: boolean; fenced: boolean },
  { dataset, type }: ConditionContext,
): string {
  // Fenced, else the practice's index of changes would be walked until enough of this chart have turned up.
  const chart = (more: string) =>
    fenced
      ? `${select} FROM (SELECT * FROM clinical.resource r WHERE ${where} ${more} OFFSET 0) r WHERE true`
      : `${select} FROM clinical.resource r WHERE ${where} ${more}`
  if (!hasCandidates) return `${chart('')} ${ordered}`
  return `(${select} FROM (SELECT DISTINCT few.id FROM few) candidate
      CROSS JOIN LATERAL (${byKey(dataset, type, 'candidate.id')}) r
    WHERE (SELECT count(*) FROM few) <= ${fewMax} AND ${where} ${ordered})
    UNION ALL
    (${chart(`AND (SELECT count(*) FROM few) > ${fewMax}`)} ${ordered})`
}

/** A page that is not full is all there is. @param all a statement that counts them all */
export function pageTotal(all: string, limit: string): string {
  return `SELECT CASE WHEN (SELECT count(*) FROM listed) <= ${limit} THEN (SELECT count(*) FROM listed)
    ELSE (${all}) END`
}
