/**
 * The text of a page: which resources (from the covering index alone), their texts as far as the page holds them,
 * and what is to be included. One statement, whose first row exists only while the credential is good.
 */
import { fhirTypeNumbers } from '../contract/fhir-registry.ts'
import type { FhirSearchPlan, Visible } from '../search/fhir-plan.ts'
import { type Liveness, type LivenessSql, livenessSql } from './liveness.ts'
import { type Bind, conditionOf, scopeCondition } from './search-conditions.ts'

/** A page ends here, but always holds one resource. The same for what is included. */
export const pageBytesMax = 4 * 1024 * 1024
export const includedMax = 1_000

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
  const context = { dataset, type, patient, bind }
  // Sorted, so that the order in which a caller writes them makes no other statement.
  const criteria = [...plan.criteria].sort((one, other) => (one.kind < other.kind ? -1 : 1))
  const conditions = criteria.map((criterion) => conditionOf(criterion, context))
  const where = [
    `r.dataset_id = ${dataset}`,
    `r.type = ${type}`,
    patient === null ? 'r.patient_id IS NULL' : `r.patient_id = ${patient}`,
    'NOT r.deleted',
    ...(visible.codes === null ? [] : [scopeCondition(visible.codes, bind)]),
    ...conditions.map(({ sql }) => sql),
  ]
  const column = sort.by === 'updated' ? 'r.last_updated' : 'r.date'
  const direction = sort.descending ? 'DESC' : 'ASC'
  const order = (alias: string) => `${alias}.sort ${direction}, ${alias}.id ${direction}`
  const shape = [
    patient === null ? 'outside' : 'chart',
    visible.codes === null ? '' : 'scoped',
    ...conditions.map((condition) => condition.shape),
    sort.by,
    direction,
  ]
  const found = `SELECT r.id, ${column} AS sort FROM clinical.resource r
    WHERE (SELECT live.ok FROM live) AND ${where.join(' AND ')}`
  if (count === 0) {
    const live = livenessSql(liveness, values.length)
    return {
      shape: [...shape, 'total', live.kind].join(' '),
      text: `${liveCte(live)} ${headRow(`SELECT count(*) FROM (${found}) matched`)}`,
      values: [...values, ...live.values],
    }
  }
  const limit = bind(count)
  const text = [
    matchedCte(found, order('m'), { after, sort: direction, bind, limit }),
    textsCte({ dataset, type, order: order('p'), limit }),
  ]
  const rows = [after === null ? headRow('SELECT count(*) FROM matched') : headRow('NULL'), matchRows(type)]
  const included = includes.length === 0 ? null : includedSql(plan, { dataset, type, patient, bind })
  if (included !== null) {
    text.push(included.ctes)
    rows.push(includedRows)
  }
  const live = livenessSql(liveness, values.length)
  return {
    shape: [...shape, after === null ? 'first' : 'next', included?.shape ?? '', live.kind].join(' '),
    text: `${[liveCte(live), ...text].join(',\n')}\n${rows.join('\nUNION ALL\n')}\nORDER BY place`,
    values: [...values, ...live.values],
  }
}

export function liveCte(live: LivenessSql, recursive = ''): string {
  return `WITH ${recursive} live AS MATERIALIZED (SELECT ${live.text} AS ok)`
}

export function headRow(total: string): string {
  return `SELECT 0 AS place, 0 AS type, '' AS id, NULL AS content, (${total})::text AS sort FROM live WHERE live.ok`
}

/** The first page counts what it reads; later ones read on from where the last one ended. */
function matchedCte(
  found: string,
  order: string,
  {
    after,
    sort,
    bind,
    limit,
  }: { after: FhirSearchPlan['after']; sort: 'ASC' | 'DESC'; bind: Bind; limit: string },
): string {
  const page = `page AS MATERIALIZED (SELECT m.id, m.sort FROM matched m ORDER BY ${order} LIMIT ${limit}::int + 1)`
  if (after === null) return `matched AS MATERIALIZED (${found}),\n${page}`
  const column = found.includes('r.last_updated AS sort') ? 'r.last_updated' : 'r.date'
  const position = `(${column}, r.id) ${sort === 'DESC' ? '<' : '>'} (${bind(after.sort)}::timestamptz, ${bind(after.id)}::text)`
  return `matched AS NOT MATERIALIZED (${found} AND ${position}),\n${page}`
}

/** `listed` holds one resource more than the page, whose text stays where it is. */
function textsCte({
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
      SELECT p.id, p.sort, r.content, row_number() OVER ordered AS place,
        sum(octet_length(r.content)) OVER ordered AS bytes
      FROM page p JOIN clinical.resource r ON r.dataset_id = ${dataset} AND r.type = ${type} AND r.id = p.id
      WINDOW ordered AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)),
    kept AS MATERIALIZED (
      SELECT l.id, l.place, l.place <= ${limit}::int AND (l.place = 1 OR l.bytes <= ${pageBytesMax}) AS fits
      FROM listed l)`
}

function matchRows(type: string): string {
  return `SELECT l.place::int, ${type}::int, l.id, CASE WHEN k.fits THEN l.content END, l.sort::text
    FROM listed l JOIN kept k USING (place)`
}

export const includedRows = `SELECT ${includedPlace} + i.place::int, i.type::int, i.id,
    CASE WHEN i.place <= ${includedMax} AND (i.place = 1 OR i.bytes <= ${pageBytesMax}) THEN i.content END, NULL
  FROM included i`

function includedSql(
  { includes }: FhirSearchPlan,
  { dataset, type, patient, bind }: { dataset: string; type: string; patient: string | null; bind: Bind },
): { shape: string; ctes: string } {
  const part = (direction: 'forward' | 'reverse') => {
    const list = includes.filter((include) => include.direction === direction)
    if (list.length === 0) return []
    const parameters = bind(list.map(({ parameter }) => parameter))
    const types = bind(list.map(({ visible }) => fhirTypeNumbers[visible.type]))
    const wanted = `unnest(${parameters}::smallint[], ${types}::smallint[]) AS w (kind, type)`
    return [
      direction === 'forward'
        ? `SELECT l.target_type AS type, l.target AS id FROM kept k CROSS JOIN ${wanted}
           JOIN clinical.link l ON l.dataset_id = ${dataset} AND l.source_type = ${type} AND l.source = k.id
             AND l.kind = w.kind AND l.target_type = w.type WHERE k.fits`
        : `SELECT l.source_type AS type, l.source AS id FROM kept k CROSS JOIN ${wanted}
           JOIN clinical.link l ON l.dataset_id = ${dataset} AND l.kind = w.kind AND l.target_type = ${type}
             AND l.target = k.id AND l.source_type = w.type WHERE k.fits`,
    ]
  }
  const parts = [...part('forward'), ...part('reverse')]
  const access = visibleCondition(
    includes.map(({ visible }) => visible),
    { patient, bind },
  )
  const directions = ['forward', 'reverse'].filter((each) =>
    includes.some(({ direction }) => direction === each),
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
    FROM ${linked} JOIN clinical.resource t
      ON t.dataset_id = ${dataset} AND t.type = ${linked}.type AND t.id = ${linked}.id AND NOT t.deleted
    WHERE ${visible}
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
  const narrowed = [...new Map(visible.map((each) => [each.type, each])).values()].flatMap(
    ({ type, codes }) => (codes === null ? [] : [{ type, codes }]),
  )
  for (const { type, codes } of narrowed) {
    conditions.push(
      `(t.type <> ${bind(fhirTypeNumbers[type])}::smallint OR ${scopeCondition(codes, bind, 't')})`,
    )
  }
  return { shape: `${inChart.length > 0 ? 'own' : ''}${narrowed.length}`, sql: conditions.join(' AND ') }
}
