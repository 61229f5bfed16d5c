/** The FHIR Group of all patients of a dataset, computed on request. */

import { confidentialitySystem } from '../contract/fhir/codes.ts'
import { type FhirType, fhirRegistry, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { limits } from '../contract/http/limits.ts'
import type { Criterion } from '../search/plan.ts'
import type { StoreCore } from './core.ts'
import { type Liveness, livenessSql, liveRow } from './liveness.ts'
import { type Condition, conditionOf } from './search-conditions.ts'
import { createStatementNames } from './statement-names.ts'
import { createBinds, type Statement } from './statements.ts'

export interface Population {
  /** The number of patients that are not deleted. */
  readonly quantity: number
  /** When a patient was last added, changed or deleted; null if there never was one. */
  readonly lastUpdated: Date | null
  /** Sorted ids; null if there are too many to list. */
  readonly memberIds: readonly string[] | null
}

/** The type whose resources are the members. */
const personType = (Object.keys(fhirRegistry) as FhirType[]).find(
  (type) => fhirRegistry[type].compartment === 'self',
)

/** The type of the computed group. */
const [groupType] = (Object.keys(fhirRegistry) as FhirType[]).filter(
  (type) => fhirRegistry[type].computed === 'population',
) as [FhirType]

const statementOf = createStatementNames()
/**
 * Finds the group if it matches the criteria of a search, which may only concern its id and its lastUpdated.
 */
export async function findPopulation(
  core: StoreCore,
  datasetId: number,
  groupId: string,
  criteria: readonly Criterion[],
  liveness: Liveness,
): Promise<{ readonly alive: boolean; readonly population: Population | null; readonly now: Date }> {
  const { run } = core.statements
  const { rows } = await run<PopulationRow & { alive: boolean; id: string | null; now: Date }>(
    datasetId,
    populationStatement(datasetId, groupId, criteria, liveness),
  )
  const [row] = rows
  if (row === undefined) throw new Error('the population gave no row')
  const { alive, id, now } = row
  return { alive, population: id === null ? null : row, now }
}

interface PopulationRow {
  quantity: number
  lastUpdated: Date | null
  memberIds: string[] | null
}

/** SQL for one row with the state of the credential, the database's time, and the group if it matches. */
export function populationStatement(
  datasetId: number,
  groupId: string,
  criteria: readonly Criterion[],
  liveness: Liveness,
): Statement {
  const { bind, values } = createBinds()
  const dataset = `${bind(datasetId)}::int`
  const type = `${bind(personType === undefined ? 0 : fhirTypeNumbers[personType])}::smallint`
  const people = `clinical.resource p WHERE p.dataset_id = ${dataset} AND p.type = ${type}`
  const group = `SELECT ${bind(groupId)}::text AS id, g.* FROM (
    SELECT count(*) FILTER (WHERE NOT p.deleted)::int AS quantity, max(p.last_updated) AS last_updated FROM ${people}) g`
  const conditions: Condition[] = criteria.map((criterion) =>
    conditionOf(criterion, { dataset, type, fhirType: groupType, patient: null, bind }),
  )
  const where = conditions.length === 0 ? 'true' : conditions.map(({ sql }) => sql).join(' AND ')
  const live = livenessSql(liveness, values.length)
  const text = `SELECT live.ok AS alive, date_trunc('milliseconds', clock_timestamp()) AS now, r.id, r.quantity,
             r.last_updated AS "lastUpdated",
             CASE WHEN r.quantity <= ${limits.groupMembersMax} THEN
               ARRAY(SELECT p.id FROM ${people} AND NOT p.deleted ORDER BY p.id) END AS "memberIds"
           FROM ${liveRow(live)}
           LEFT JOIN LATERAL (SELECT * FROM (${group}) r WHERE ${where}) r ON live.ok`
  const shape = ['population', ...conditions.map((condition) => condition.shape), live.kind].join(' ')
  return { ...statementOf(shape, text), values: [...values, ...live.values] }
}

// Facts about a whole chart, from one statement that first checks the credential.

interface ChartState {
  /** False if the credential is not valid (any more) or its practice has moved; nothing was read. */
  readonly alive: boolean
  /** The newest lastUpdated in the chart, deletions included; null if the chart does not exist. */
  readonly changedAt: Date | null
  /** The earliest sort date in the chart; null if no resource has one. */
  readonly firstAt: Date | null
  /** The most confidential label in it: 0 normal, 1 restricted, 2 very restricted. */
  readonly confidentiality: number
}

interface Row {
  alive: boolean
  changedAt: Date | null
  firstAt: Date | null
  confidentiality: number | null
}

/** Stored JSON has no spaces between its parts. A code of another system beside such a label matches, too. */
const labelled = (code: string) => `strpos(r.content, '"code":"${code}"') > 0`
/** @throws Problem `unavailable` without a connection within 1 s or a result within 5 s */
export async function chartState(
  core: StoreCore,
  datasetId: number,
  patientId: string,
  liveness: Liveness,
): Promise<ChartState> {
  const { run } = core.statements
  const live = livenessSql(liveness, 2)
  const { rows } = await run<Row>(datasetId, {
    name: `chart-state:${live.kind}`,
    text: `SELECT live.ok AS alive, chart.*
             FROM ${liveRow(live)}
             LEFT JOIN LATERAL (
               SELECT max(r.last_updated) AS "changedAt",
                 min(r.date) FILTER (WHERE r.date > '-infinity' AND NOT r.deleted) AS "firstAt",
                 max(CASE WHEN strpos(r.content, '${confidentialitySystem}"') = 0 THEN 0
                   WHEN ${labelled('V')} THEN 2 WHEN ${labelled('R')} THEN 1 ELSE 0 END) AS confidentiality
               FROM clinical.resource r
               WHERE live.ok AND r.dataset_id = $1 AND r.patient_id = $2) chart ON true`,
    values: [datasetId, patientId, ...live.values],
  })
  const [row] = rows
  return {
    alive: row?.alive ?? false,
    changedAt: row?.changedAt ?? null,
    firstAt: row?.firstAt ?? null,
    confidentiality: row?.confidentiality ?? 0,
  }
}
