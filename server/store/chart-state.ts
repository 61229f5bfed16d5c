/** What is to be known of a chart as a whole, in one statement that asks first whether the credential is good. */
import { confidentialitySystem } from '../contract/fhir/codes.ts'
import type { StoreCore } from './core.ts'
import { type Liveness, livenessSql, liveRow } from './liveness.ts'

interface ChartState {
  /** False: the credential is not good (any more), or its practice has moved; nothing was read. */
  readonly alive: boolean
  /** Of anything in the chart, deletions included; null for no such chart. */
  readonly changedAt: Date | null
  /** Of the dates by which its resources are ordered; null when none has one. */
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

/** Texts are one line without spaces between their parts; a code of another system beside such a label counts as well. */
const labelled = (code: string) => `strpos(r.content, '"code":"${code}"') > 0`
/** @throws Problem `unavailable` without a connection within 1 s or an answer within 5 s. */
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
