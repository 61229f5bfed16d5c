/** SQL for a page of `$everything`: the chart in the order of its index, and resources outside that it refers to. */
import { type FhirType, fhirRegistry, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { chartTypes } from '../search/patient-record.ts'
import type { EverythingPlan } from '../search/plan.ts'
import { pageTotal } from './choices.ts'
import { type Liveness, livenessSql } from './liveness.ts'
import { byKey } from './search-conditions.ts'
import {
  includedCte,
  includedRows,
  listedCte,
  liveCte,
  matchRows,
  type PageSql,
  visibleCondition,
} from './search-page.ts'
import { createBinds } from './statements.ts'

/** The types whose resources are the owners of charts. */
const ownerTypes = (Object.keys(fhirRegistry) as FhirType[])
  .filter((type) => fhirRegistry[type].compartment === 'self')
  .map((type) => fhirTypeNumbers[type])

export function compileEverythingPage(datasetId: number, plan: EverythingPlan, liveness: Liveness): PageSql {
  const { bind, values } = createBinds()
  const { since, care, after, referred, count } = plan
  const dataset = `${bind(datasetId)}::int`
  const patient = `${bind(plan.patientId)}::text`
  const types = `${bind(plan.types.map((type) => fhirTypeNumbers[type]))}::smallint[]`
  const owner = `EXISTS (SELECT 1 FROM clinical.resource o WHERE o.dataset_id = ${dataset}
    AND o.type = ANY (${bind(ownerTypes)}::smallint[]) AND o.id = ${patient} AND NOT o.deleted)`
  const found = [
    `FROM clinical.resource r WHERE (SELECT live.ok FROM live) AND r.dataset_id = ${dataset}
     AND r.patient_id = ${patient} AND r.type = ANY (${types}) AND NOT r.deleted`,
    ...(since === null ? [] : [`r.last_updated > ${bind(since)}::timestamptz`]),
    ...(care === null
      ? []
      : [
          `(r.date_end IS NULL OR (r.date < ${bind(care.lowMax)}::timestamptz AND r.date_end > ${bind(care.highMin)}::timestamptz))`,
        ]),
  ].join(' AND ')
  const all = `SELECT count(*) ${found}`
  const head = (
    total: string,
  ) => `SELECT 0 AS place, 0 AS type, CASE WHEN ${owner} THEN 'found' ELSE '' END AS id, NULL AS "contentBytes",
    (${after === null ? total : 'NULL'})::text AS sort FROM live WHERE live.ok`
  // As in `isInOrder`: with a filter, the index selects the ids before any content is read.
  const hasContent = since === null && care === null && plan.types.length === chartTypes.length
  const shape = [
    'everything',
    since && 'since',
    care && 'care',
    after && 'next',
    count === 0 ? 'total' : '',
    hasContent ? 'whole' : '',
  ]
  if (count === 0) {
    const live = livenessSql(liveness, values.length)
    return {
      shape: [...shape, live.kind].join(' '),
      text: `${liveCte(live)} ${head(all)}`,
      values: [...values, ...live.values],
    }
  }
  const limit = `${bind(count)}::int`
  const position =
    after === null
      ? ''
      : (([type, sort, id]) =>
          `AND r.type >= ${type} AND (r.type > ${type} OR (r.date, r.id) < (${sort}::timestamptz, ${id}::text))`)(
          [
            `${bind(after.type === undefined ? 0 : fhirTypeNumbers[after.type])}::smallint`,
            bind(after.sort),
            bind(after.id),
          ],
        )
  const ordered = `${found} ${position} ORDER BY r.type, r.date DESC, r.id DESC LIMIT ${limit} + 1`
  const source = hasContent
    ? `(SELECT r.type, r.id, r.date AS sort, r.content ${ordered}) p`
    : `page p CROSS JOIN LATERAL (${byKey(dataset, 'p.type', 'p.id')}) r`
  // The OFFSET has the same reason as in `byKey`.
  const linksOf = (source: string) =>
    `SELECT * FROM clinical.link l WHERE l.dataset_id = ${dataset} AND l.source_type = ${source}.type
       AND l.source = ${source}.id OFFSET 0`
  const outside = `${bind(referred.map(({ type }) => fhirTypeNumbers[type]))}::smallint[]`
  const access = visibleCondition(referred, { patient, bind })
  const live = livenessSql(liveness, values.length)
  const text = `${liveCte(live, 'RECURSIVE')},
    ${hasContent ? '' : `page AS MATERIALIZED (SELECT r.type, r.id, r.date AS sort ${ordered}),`}
    ${listedCte({ type: 'p.type', order: 'p.type, p.sort DESC, p.id DESC', limit }, source)},
    linked (type, id) AS (
      SELECT l.target_type, l.target FROM listed k CROSS JOIN LATERAL (${linksOf('k')}) l
      WHERE k.fits AND l.target_type = ANY (${outside})
      UNION
      SELECT l.target_type, l.target FROM linked CROSS JOIN LATERAL (${linksOf('linked')}) l
      WHERE l.target_type = ANY (${outside})),
    ${includedCte('linked', dataset, access.sql)}
    ${head(pageTotal(all, limit))}
    UNION ALL
    ${matchRows}
    UNION ALL ${includedRows}
    ORDER BY place`
  return {
    shape: [...shape, access.shape, live.kind].join(' '),
    text,
    values: [...values, ...live.values],
  }
}
