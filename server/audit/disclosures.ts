/** Lists the disclosures of a patient from the access record. The domain decides who may read them. */
import type pg from 'pg'
import { type FhirType, fhirRegistry } from '../contract/fhir/registry.ts'

type DisclosureQuery = Readonly<{
  practiceId: string
  patientId: string
  from: Date
  /** Exclusive. */
  to: Date
  /** The last sealed row, because later ones are not proven yet. */
  lastId: string
}>

/** Disclosures to one recipient, of one kind, for one purpose. */
export type DisclosureGroup = Readonly<{
  principalKind: string
  /** The app's `client_id`, or else the id of the key, account or system. */
  recipientId: string
  isClient: boolean
  action: string
  resourceType: string | null
  purpose: string
  count: number
  firstAt: Date
  lastAt: Date
}>

/** More groups than any chart has. Limited because a report is built in memory. */
export const disclosureGroupsMax = 10_000

/** Resources outside all charts are no disclosure about a patient. A group counts, because it names its members. */
const outsideCharts = (Object.keys(fhirRegistry) as FhirType[]).filter(
  (type) => fhirRegistry[type].compartment === null && fhirRegistry[type].computed === undefined,
)

/** Not disclosures: the response to a created record, and the practice's own access to its patients. */
const disclosing = `outcome = 'served' AND count > 0
  AND action NOT IN ('create', 'find_patient', 'account_disclosures', 'list_withheld_patients', 'view_access', 'view_access_record')
  AND resource_type IS NOT NULL AND resource_type <> ALL ($6::text[]) AND id <= $5::bigint AND at >= $3 AND at < $4`

/** A killed export run is repeated, so only the rows of the last run belong to the files. */
const isInExport = `EXISTS (SELECT FROM log.export_patients e
  WHERE e.export_id = a.export_id AND e.first_id <= $2::text AND e.last_id >= $2::text
    AND e.at = (SELECT max(l.at) FROM log.export_patients l WHERE l.export_id = a.export_id)
    AND (e.types[array_position(e.patient_ids, $2::text)]
      >> array_position(e.type_names, CASE a.resource_type WHEN 'Group' THEN 'Patient' ELSE a.resource_type END) - 1) & 1 = 1)`

const columns = 'at, principal_kind, principal_id, client_id, action, resource_type, purpose'

const found = `
  SELECT ${columns} FROM log.phi_audit WHERE practice_id = $1 AND patient_id = $2::text AND ${disclosing}
  UNION ALL
  SELECT ${columns} FROM log.phi_audit a
  WHERE practice_id = $1 AND patient_id IS NULL AND ${disclosing}
    AND ($2::text = ANY (patient_ids) OR (export_id IS NOT NULL AND ${isInExport}))`

/** @returns at most one more than `disclosureGroupsMax` */
export async function listDisclosures(
  { pool }: { pool: pg.Pool },
  { practiceId, patientId, from, to, lastId }: DisclosureQuery,
): Promise<DisclosureGroup[]> {
  const { rows } = await pool.query<DisclosureGroup>(
    `SELECT principal_kind AS "principalKind", coalesce(client_id, principal_id) AS "recipientId",
       client_id IS NOT NULL AS "isClient", action, resource_type AS "resourceType", purpose,
       count(*)::int AS count, min(at) AS "firstAt", max(at) AS "lastAt"
     FROM (${found}) found GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY "firstAt", 1, 2, 4, 5, 6 LIMIT $7`,
    [practiceId, patientId, from, to, lastId, outsideCharts, disclosureGroupsMax + 1],
  )
  return rows
}

/**
 * Lists and files of the period whose rows of earlier releases name no patients, so that it is unknown whether this patient
 * was among them.
 */
export async function countUnnamed(
  { pool }: { pool: pg.Pool },
  { practiceId, from, to, lastId }: Omit<DisclosureQuery, 'patientId'>,
): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await pool.query<{ count: number; lastAt: Date | null }>(
    `SELECT count(*)::int AS count, max(at) AS "lastAt" FROM log.phi_audit
     WHERE practice_id = $1 AND patient_id IS NULL AND ${disclosing.replace('$6', '$2')}
       AND patient_ids IS NULL AND export_id IS NULL`,
    [practiceId, outsideCharts, from, to, lastId],
  )
  return rows[0] ?? { count: 0, lastAt: null }
}
