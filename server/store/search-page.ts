/**
 * SQL for a page of search results: ids, contents as far as they fit on the page, and included resources. The first row of
 * the statement exists only if the credential is valid.
 */
import { fhirTypeNumbers, registryRow } from '../contract/fhir/registry.ts'
import { recordMark } from '../search/patient-record.ts'
import { type IncludePlan, isByName, type NamePlan, type SearchPlan, type Visible } from '../search/plan.ts'
import { chooseFromChart, chooseFromRoster } from './choices.ts'
import { type Liveness, type LivenessSql, livenessSql } from './liveness.ts'
import { byKey, type ConditionContext, scopeCondition } from './search-conditions.ts'
import { type Bind, createBinds } from './statements.ts'

/** A page ends at this size, but has at least one resource. The same applies to included resources. */
const pageBytesMax = 4 * 1024 * 1024
const includedMax = 1_000

export interface PageSql {
  readonly shape: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** A row of these statements, which are ordered by `place`. */
export interface PageRow {
  /** 0 for the head row, from 1 for matches, from `includedPlace` for included resources. */
  place: number
  type: number
  id: string
  /** Null if it doesn't fit on this page. */
  contentBytes: Buffer | null
  /** The total for the head; the sort value for a match. */
  sort: string | null
}

export const includedPlace = 1_000_000

export function compilePage(datasetId: number, plan: SearchPlan, liveness: Liveness): PageSql {
  const { values, bind } = createBinds()
  const { visible, includes } = plan
  const byName = isByName(plan)
  const dataset = `${bind(datasetId)}::int`
  const type = `${bind(fhirTypeNumbers[visible.type])}::smallint`
  const patient = visible.patientId === null ? null : `${bind(visible.patientId)}::text`
  const context = { dataset, type, fhirType: visible.type, patient, bind }
  const choice = byName ? chooseFromRoster(plan, context) : chooseFromChart(plan, context)
  const { page, order, total } = choice
  const included = page === null || includes.length === 0 ? null : includedSql(includes, context)
  const ctes = [...choice.ctes]
  const rows = [headRow(total ?? 'NULL')]
  if (page !== null) {
    const listing = { dataset, type, order, limit: page.limit }
    if (page.hasContent) ctes.push(listedCte(listing, `(${page.sql}) p`))
    else {
      ctes.push(`page AS ${byName ? '' : 'MATERIALIZED'} (${page.sql})`)
      const content = `page p CROSS JOIN LATERAL (${byKey(dataset, type, 'p.id')}) r`
      ctes.push(byName ? wholeCte(listing, contentOf(plan, bind)) : listedCte(listing, content))
    }
    rows.push(matchRows)
  }
  if (included !== null) {
    ctes.push(included.ctes)
    rows.push(includedRows)
  }
  const live = livenessSql(liveness, values.length)
  return {
    shape: [
      ...choice.shape,
      byName && plan.asRecords ? 'records' : '',
      page === null ? 'total' : '',
      included?.shape ?? '',
      live.kind,
    ].join(' '),
    text: `${[liveCte(live), ...ctes].join(',\n')}\n${rows.join('\nUNION ALL\n')}${page === null ? '' : '\nORDER BY place'}`,
    values: [...values, ...live.values],
  }
}

export function liveCte(live: LivenessSql, recursive = ''): string {
  return `WITH ${recursive} live AS MATERIALIZED (SELECT ${live.text} AS ok)`
}

function headRow(total: string): string {
  return `SELECT 0 AS place, 0 AS type, '' AS id, NULL AS "contentBytes", (${total})::text AS sort FROM live WHERE live.ok`
}

interface Listing {
  readonly dataset: string
  readonly type: string
  /** An ORDER BY of the page's columns, such as `p.sort DESC, p.id DESC`. */
  readonly order: string
  readonly limit: string
}

/**
 * The CTE `listed` has one resource more than the page. It only shows that there is a next page.
 * @param source FROM items: `p` with the page's columns, and their `content`
 */
export function listedCte({ type, order, limit }: Omit<Listing, 'dataset'>, source: string): string {
  return `listed AS MATERIALIZED (
    SELECT l.*, l.place <= ${limit} AND (l.place = 1 OR l.bytes <= ${pageBytesMax}) AS fits FROM (
      SELECT ${type} AS type, p.id, p.sort, content, row_number() OVER ordered AS place,
        sum(octet_length(content)) OVER ordered AS bytes
      FROM ${source}
      WINDOW ordered AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) l)`
}

/** The same without the size limit, for lists whose pages must have a fixed number of entries. */
function wholeCte({ dataset, type, order, limit }: Listing, content: string): string {
  return `listed AS (
    SELECT ${type} AS type, p.id, p.sort, ${content} AS content, p.place, p.place <= ${limit} AS fits
    FROM (SELECT p.*, row_number() OVER (ORDER BY ${order}) AS place FROM page p) p
      CROSS JOIN LATERAL (${byKey(dataset, type, 'p.id')}) r)`
}

/** Selects the stored REST record only if this release's code computed it. */
function contentOf({ asRecords }: NamePlan, bind: Bind): string {
  return asRecords
    ? `CASE WHEN starts_with(r.record, ${bind(recordMark)}) THEN r.record ELSE r.content END`
    : 'r.content'
}

export const matchRows = `SELECT l.place::int, l.type::int, l.id, CASE WHEN l.fits THEN l.content END, l.sort::text
  FROM listed l`

export const includedRows = `SELECT ${includedPlace} + i.place::int, i.type::int, i.id,
    CASE WHEN i.place <= ${includedMax} AND (i.place = 1 OR i.bytes <= ${pageBytesMax}) THEN i.content END, NULL
  FROM included i`

function includedSql(includes: readonly IncludePlan[], { dataset, type, patient, bind }: ConditionContext) {
  const directions = (['forward', 'reverse'] as const).filter((candidate) =>
    includes.some(({ direction }) => direction === candidate),
  )
  // A resource that is linked to several matches is included once. UNION removes duplicates by itself.
  const select = directions.length === 1 ? 'SELECT DISTINCT' : 'SELECT'
  const part = (direction: 'forward' | 'reverse') => {
    const list = includes.filter((include) => include.direction === direction)
    if (list.length === 0) return []
    const parameters = bind(list.map(({ parameter }) => parameter))
    const types = bind(list.map(({ visible }) => fhirTypeNumbers[visible.type]))
    const linkKinds = `unnest(${parameters}::smallint[], ${types}::smallint[]) AS w (kind, type)`
    return [
      direction === 'forward'
        ? `${select} l.target_type AS type, l.target AS id FROM listed k CROSS JOIN ${linkKinds}
           CROSS JOIN LATERAL (SELECT * FROM clinical.link l WHERE l.dataset_id = ${dataset}
             AND l.source_type = ${type} AND l.source = k.id AND l.kind = w.kind AND l.target_type = w.type OFFSET 0) l
           WHERE k.fits`
        : `${select} l.source_type AS type, l.source AS id FROM listed k CROSS JOIN ${linkKinds}
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

/** A condition for the included resources that the caller may see. Entries of the same type have the same rules. */
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
  const narrowed = [...new Map(visible.map((rule) => [rule.type, rule])).values()].flatMap(
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
