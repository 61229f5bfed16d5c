import type pg from 'pg'

/** What the rows of the FHIR interface ask for, found in the demonstration practice. */
export type FhirRecords = {
  /** Of Observations, each of about 1 KB. */
  observationIds: readonly string[]
  /** Of patients with a page of Observations and more. */
  pagePatients: readonly string[]
  /** Of patients whose whole chart has about as many resources as the target is about. */
  chartPatients: readonly string[]
  /** The longest chart, and a code it has twice or thrice. */
  longPatient: string
  rareCode: string
}

/** The size of chart that the target of `$everything` is about. */
const chartSize = 140

/** @param owner acts as the owner of the tables; type 17 is Observation, parameter 20 `code` */
export async function findFhirRecords(owner: pg.Pool): Promise<FhirRecords> {
  const charts = await owner.query<{ patient: string; observations: number; resources: number }>(
    `SELECT r.patient_id AS patient, count(*) FILTER (WHERE r.type = 17)::int AS observations,
       count(*)::int AS resources
     FROM clinical.resource r JOIN portal.practice p ON p.dataset_id = r.dataset_id
     WHERE p.purpose = 'demonstration' AND r.patient_id IS NOT NULL GROUP BY 1 ORDER BY observations`,
  )
  const long = charts.rows.at(-1)
  const usual = charts.rows.filter(({ observations }) => observations < 1_000)
  const byCloseness = [...usual].sort(
    (one, other) => Math.abs(one.resources - chartSize) - Math.abs(other.resources - chartSize),
  )
  const pagePatients = usual.filter(({ observations }) => observations > 60).map(({ patient }) => patient)
  const ids = await owner.query<{ id: string }>(
    `SELECT r.id FROM clinical.resource r JOIN portal.practice p ON p.dataset_id = r.dataset_id
     WHERE p.purpose = 'demonstration' AND r.type = 17 AND r.patient_id = ANY ($1) ORDER BY r.id LIMIT 400`,
    [pagePatients],
  )
  const rare = await owner.query<{ code: string }>(
    `SELECT d.code FROM clinical.coding c JOIN clinical.dictionary d ON d.id = c.token
       JOIN portal.practice p ON p.dataset_id = c.dataset_id
     WHERE p.purpose = 'demonstration' AND c.type = 17 AND c.patient_id = $1
     GROUP BY d.code ORDER BY count(*), d.code LIMIT 1`,
    [long?.patient],
  )
  const rareCode = rare.rows[0]?.code
  if (long === undefined || rareCode === undefined || pagePatients.length === 0)
    throw new Error('the demonstration practice has no charts: the seed did not run')
  return {
    observationIds: ids.rows.map(({ id }) => id),
    pagePatients,
    chartPatients: byCloseness.slice(0, 4).map(({ patient }) => patient),
    longPatient: long.patient,
    rareCode,
  }
}
