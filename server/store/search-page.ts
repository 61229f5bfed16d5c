/**
 * The text of a page: which resources (from the covering index alone), their texts as far as the page holds them,
 * and what is to be included. One statement, whose first row exists only while the credential is good.
 */
import { fhirTypeNumbers, registryRow } from '../contract/fhir/registry.ts'
import type { FhirCriterion, FhirSearchPlan, Visible } from '../search/fhir-plan.ts'
import { type Liveness, type LivenessSql, livenessSql } from './liveness.ts'
import {
  type Bind,
  type Condition,
  type ConditionContext,
  candidatesOf,
  conditionOf,
  scopeCondition,
} from './search-conditions.ts'

/** A page ends here, but always holds one resource. The same for what is included. */
const pageBytesMax = 4 * 1024 * 1024
const includedMax = 1_000

export interface PageSql {
  readonly shape: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** One row of any of the statements here; rows come in order of `place`. */
export interface PageRow {
  /** 0: the head, 1 and on: matches, from `includedPlace` on: included. */
  place: number
  type: number
  id: string
  /** Null: it does not fit on this page. */
  content: string | null
  /** Of the head the total, of a match what it is sorted by. */
  sort: string | null
}

export const includedPlace = 1_000_000

/** Parameters of a statement in the making. */
export function createBinds(): { bind: Bind; values: unknown[] } {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

export function compilePage(datasetId: number, plan: FhirSearchPlan, liveness: Liveness): PageSql {
  const { bind, values } = createBinds()
  const { visible, sort, after, includes, count } = plan
  const dataset = `${bind(datasetId)}::int`
  const type = `${bind(fhirTypeNumbers[visible.type])}::smallint`
  const patient = visible.patientId === null ? null : `${bind(visible.patientId)}::text`
  const context = { dataset, type, fhirType: visible.type, patient, bind }
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
  const shape = [
    patient === null ? 'outside' : 'chart',
    visible.codes === null ? '' : 'scoped',
    candidates?.shape ?? '',
    ...conditions.map((condition) => condition.shape),
    sort.by,
    direction,
  ]
  const ctes = candidates === null ? [] : [fewCte(candidates.sql)]
  const select = `SELECT r.id, ${column} AS sort`
  const ways = { hasCandidates: candidates !== null, fenced: sort.by === 'updated' && patient !== null }
  const total = matching(select, where, '', { ...ways, fenced: false }, context)
  if (count === 0) {
    const live = livenessSql(liveness, values.length)
    return {
      shape: [...shape, 'total', live.kind].join(' '),
      text: `${[liveCte(live), ...ctes].join(',\n')} ${headRow(`SELECT count(*) FROM (${total}) matched`)}`,
      values: [...values, ...live.values],
    }
  }
  const limit = `${bind(count)}::int`
  const position =
    after === null
      ? ''
      : `AND (${column}, r.id) ${sort.descending ? '<' : '>'} (${bind(after.sort)}::timestamptz, ${bind(after.id)}::text)`
  const ordered = `${position} ORDER BY ${column} ${direction}, r.id ${direction} LIMIT ${limit} + 1`
  ctes.push(
    `page AS MATERIALIZED (SELECT m.id, m.sort FROM (${matching(select, where, ordered, ways, context)}) m
       ORDER BY m.sort ${direction}, m.id ${direction} LIMIT ${limit} + 1)`,
    listedCte({ dataset, type, order: `p.sort ${direction}, p.id ${direction}`, limit }),
  )
  const rows = [headRow(after === null ? pageTotal(total, limit) : 'NULL'), matchRows]
  const included = includes.length === 0 ? null : includedSql(plan, { dataset, type, patient, bind })
  if (included !== null) {
    ctes.push(included.ctes)
    rows.push(includedRows)
  }
  const live = livenessSql(liveness, values.length)
  return {
    shape: [...shape, after === null ? 'first' : 'next', included?.shape ?? '', live.kind].join(' '),
    text: `${[liveCte(live), ...ctes].join(',\n')}\n${rows.join('\nUNION ALL\n')}\nORDER BY place`,
    values: [...values, ...live.values],
  }
}

/** So many candidates are looked at one by one; more, and the chart is read in its order. */
const fewMax = 300

/** Of a chart that is one resource, nothing is faster than that. */
function chooseCandidates(criteria: readonly FhirCriterion[], context: ConditionContext): Condition | null {
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

/** A page that is not full is all there is. */
function pageTotal(all: string, limit: string): string {
  return `SELECT CASE WHEN (SELECT count(*) FROM page) <= ${limit} THEN (SELECT count(*) FROM page)
    ELSE (SELECT count(*) FROM (${all}) matched) END`
}

export function liveCte(live: LivenessSql, recursive = ''): string {
  return `WITH ${recursive} live AS MATERIALIZED (SELECT ${live.text} AS ok)`
}

function headRow(total: string): string {
  return `SELECT 0 AS place, 0 AS type, '' AS id, NULL AS content, (${total})::text AS sort FROM live WHERE live.ok`
}

/**
 * A resource by its key. OFFSET keeps the planner, which knows neither a chart's size nor how few are asked for, from
 * reading a whole practice instead.
 */
function byKey(dataset: string, type: string, id: string): string {
  return `SELECT * FROM clinical.resource k WHERE k.dataset_id = ${dataset} AND k.type = ${type} AND k.id = ${id} OFFSET 0`
}

/**
 * `listed` holds one resource more than the page, whose text stays where it is.
 * @param order of the page's columns, `p.sort DESC, p.id DESC`
 */
export function listedCte({
  dataset,
  type,
  order,
  limit,
}: {
  dataset: string
  type: string
  order: string
  limit: string
}): string {
  return `listed AS MATERIALIZED (
    SELECT l.*, l.place <= ${limit} AND (l.place = 1 OR l.bytes <= ${pageBytesMax}) AS fits FROM (
      SELECT ${type} AS type, p.id, p.sort, r.content, row_number() OVER ordered AS place,
        sum(octet_length(r.content)) OVER ordered AS bytes
      FROM page p CROSS JOIN LATERAL (${byKey(dataset, type, 'p.id')}) r
      WINDOW ordered AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) l)`
}

export const matchRows = `SELECT l.place::int, l.type::int, l.id, CASE WHEN l.fits THEN l.content END, l.sort::text
  FROM listed l`

export const includedRows = `SELECT ${includedPlace} + i.place::int, i.type::int, i.id,
    CASE WHEN i.place <= ${includedMax} AND (i.place = 1 OR i.bytes <= ${pageBytesMax}) THEN i.content END, NULL
  FROM included i`

function includedSql(
  { includes }: FhirSearchPlan,
  { dataset, type, patient, bind }: { dataset: string; type: string; patient: string | null; bind: Bind },
): { shape: string; ctes: string } {
  const directions = (['forward', 'reverse'] as const).filter((each) =>
    includes.some(({ direction }) => direction === each),
  )
  // One resource may be linked to several matches, and stands on the page once. UNION sees to that by itself.
  const select = directions.length === 1 ? 'SELECT DISTINCT' : 'SELECT'
  const part = (direction: 'forward' | 'reverse') => {
    const list = includes.filter((include) => include.direction === direction)
    if (list.length === 0) return []
    const parameters = bind(list.map(({ parameter }) => parameter))
    const types = bind(list.map(({ visible }) => fhirTypeNumbers[visible.type]))
    const wanted = `unnest(${parameters}::smallint[], ${types}::smallint[]) AS w (kind, type)`
    return [
      direction === 'forward'
        ? `${select} l.target_type AS type, l.target AS id FROM listed k CROSS JOIN ${wanted}
           CROSS JOIN LATERAL (SELECT * FROM clinical.link l WHERE l.dataset_id = ${dataset}
             AND l.source_type = ${type} AND l.source = k.id AND l.kind = w.kind AND l.target_type = w.type OFFSET 0) l
           WHERE k.fits`
        : `${select} l.source_type AS type, l.source AS id FROM listed k CROSS JOIN ${wanted}
           CROSS JOIN LATERAL (SELECT * FROM clinical.link l WHERE l.dataset_id = ${dataset} AND l.kind = w.kind
             AND l.target_type = ${type} AND l.target = k.id AND l.source_type = w.type OFFSET 0) l
           WHERE k.fits`,
    ]
  }
  const parts = [...part('forward'), ...part('reverse')]
  const access = visibleCondition(
    includes.map(({ visible }) => visible),
    { patient, bind },
  )
  return {
    shape: `${directions.join('+')} ${access.shape}`,
    ctes: `linked AS (${parts.join('\nUNION\n')}),\n${includedCte('linked', dataset, access.sql)}`,
  }
}

export function includedCte(linked: string, dataset: string, visible: string): string {
  return `included AS MATERIALIZED (
    SELECT t.type, t.id, t.content, row_number() OVER ordered AS place,
      sum(octet_length(t.content)) OVER ordered AS bytes
    FROM ${linked} CROSS JOIN LATERAL (${byKey(dataset, `${linked}.type`, `${linked}.id`)}) t
    WHERE NOT t.deleted AND ${visible}
    WINDOW ordered AS (ORDER BY t.type, t.id ROWS UNBOUNDED PRECEDING)
    LIMIT ${includedMax + 1})`
}

/** What may be seen of each of the types that are added; equal types have equal rules. */
export function visibleCondition(
  visible: readonly Visible[],
  { patient, bind }: { patient: string | null; bind: Bind },
): { shape: string; sql: string } {
  const inChart = visible.filter(({ patientId }) => patientId !== null)
  const conditions = ['true']
  if (inChart.length > 0) {
    const owner = patient ?? `${bind(inChart[0]?.patientId)}::text`
    const types = bind(inChart.map(({ type }) => fhirTypeNumbers[type]))
    conditions.push(`(t.patient_id = ${owner} OR t.type <> ALL (${types}::smallint[]))`)
  }
  const ownerless = visible.filter(
    ({ type, patientId }) => patientId === null && registryRow(type).compartment !== null,
  )
  if (ownerless.length > 0) {
    const types = bind(ownerless.map(({ type }) => fhirTypeNumbers[type]))
    conditions.push(`(t.patient_id IS NULL OR t.type <> ALL (${types}::smallint[]))`)
  }
  const narrowed = [...new Map(visible.map((each) => [each.type, each])).values()].flatMap(
    ({ type, codes }) => (codes === null ? [] : [{ type, codes }]),
  )
  for (const { type, codes } of narrowed) {
    conditions.push(
      `(t.type <> ${bind(fhirTypeNumbers[type])}::smallint OR ${scopeCondition(codes, bind, 't')})`,
    )
  }
  const owners = `${inChart.length > 0 ? 'own' : ''}${ownerless.length > 0 ? 'none' : ''}`
  return { shape: `${owners}${narrowed.length}`, sql: conditions.join(' AND ') }
}
