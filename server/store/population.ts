/** Everybody in a dataset as one group, computed when it is asked for. */
import { type FhirType, fhirRegistry, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { limits } from '../contract/http/limits.ts'
import type { Criterion } from '../search/plan.ts'
import { createBinds } from './binds.ts'
import type { StoreCore } from './core.ts'
import { type Liveness, livenessSql, liveRow } from './liveness.ts'
import { type Condition, conditionOf } from './search-conditions.ts'
import { createStatementNames } from './statement-names.ts'
import type { Statement } from './statements.ts'

export interface Population {
  /** Persons who are not deleted. */
  readonly quantity: number
  /** When somebody last came, changed or went; null when nobody ever did. */
  readonly lastUpdated: Date | null
  /** Sorted; null where there are too many to name. */
  readonly memberIds: readonly string[] | null
}

/** The type whose resources are the persons themselves. */
const personType = (Object.keys(fhirRegistry) as FhirType[]).find(
  (type) => fhirRegistry[type].compartment === 'self',
)

/** The type that is computed from them. */
const [groupType] = (Object.keys(fhirRegistry) as FhirType[]).filter(
  (type) => fhirRegistry[type].computed === 'population',
) as [FhirType]

const statementOf = createStatementNames()
/**
 * The group, if it is the one with this id and matches the criteria of a search: none may need more of it than
 * its id and its time of change.
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

/** One row: whether the credential is good, the database's time, and the group where it matches. */
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
  const conditions: Condition[] = criteria.map((each) =>
    conditionOf(each, { dataset, type, fhirType: groupType, patient: null, bind }),
  )
  const where = conditions.length === 0 ? 'true' : conditions.map(({ sql }) => sql).join(' AND ')
  const live = livenessSql(liveness, values.length)
  const text = `SELECT live.ok AS alive, date_trunc('milliseconds', clock_timestamp()) AS now, r.id, r.quantity,
             r.last_updated AS "lastUpdated",
             CASE WHEN r.quantity <= ${limits.groupMembersMax} THEN
               ARRAY(SELECT p.id FROM ${people} AND NOT p.deleted ORDER BY p.id) END AS "memberIds"
           FROM ${liveRow(live)}
           LEFT JOIN LATERAL (SELECT * FROM (${group}) r WHERE ${where}) r ON live.ok`
  const shape = ['population', ...conditions.map((each) => each.shape), live.kind].join(' ')
  return { ...statementOf(shape, text), values: [...values, ...live.values] }
}
