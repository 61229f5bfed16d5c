/** The log rows of a request. They contain route patterns and never URLs. */
import type { WrittenWithRead } from '../store/batch-read.ts'

/** One row of `log.activity`. */
export type ActivityRow = {
  at: Date
  door: 'fhir' | 'bulk' | 'rest' | 'smart' | 'status'
  /** Null if neither key, token nor path determines it, as for an unknown token. */
  environment: 'sandbox' | 'production' | null
  /** The key, even if it was refused. */
  keyId: string | null
  /** The `client_id` of the app, if it exists. */
  clientId?: string | null
  /** The prefix of an unknown or malformed key. */
  claimedPrefix: string | null
  practiceId: string | null
  method: string
  /** The pattern, such as `/patients/{id}`; `*` if no route matches. */
  route: string
  status: number
  ip: string | null
  correlationId: string
  clientCorrelationId: string | null
  durationMs: number
  /** The reason of a refusal, for the owner of the key; null if the request was served. */
  refusal: string | null
  fromBrowser: boolean
  /** The step that the Fault Lab injected, if any. */
  fault?: string | null
}

/** One row of `log.phi_audit`. */
export type AccessRow = {
  at: Date
  practiceId: string
  principalKind: 'api_key' | 'smart_token' | 'backend_token' | 'session' | 'system'
  principalId: string
  /** The app, if there is one. */
  clientId?: string | null
  action: string
  resourceType: string | null
  /** Set if the access concerned one patient. */
  patientId: string | null
  /** The patients, without duplicates, if records of several were disclosed. */
  patientIds?: readonly string[] | undefined
  /** The export of a downloaded file: `log.export_patients` has its patients. */
  exportId?: string | null | undefined
  /** The number of records in the response. */
  count: number
  purpose: string
  outcome: 'served' | 'refused' | 'failed'
  correlationId: string
}

/** The log rows of an API request. */
export type LogRecord = { activity: ActivityRow; access?: AccessRow }

/** The log row of access in the portal, which is no API request. */
export type AccessRecord = { activity?: undefined; access: AccessRow }

/** A record that stands for `count` equal requests. */
export type CountedRecord = LogRecord & { count: number }

/** @param count equal requests that the row stands for */
type Column<Row> = readonly [name: string, type: string, value: (row: Row, count: number) => unknown]

const activityColumns: readonly Column<ActivityRow>[] = [
  ['at', 'timestamptz', (row) => row.at.toISOString()],
  ['door', 'text', (row) => row.door],
  ['environment', 'text', (row) => row.environment],
  ['key_id', 'uuid', (row) => row.keyId],
  ['client_id', 'text', (row) => row.clientId ?? null],
  ['claimed_prefix', 'text', (row) => row.claimedPrefix],
  ['practice_id', 'uuid', (row) => row.practiceId],
  ['method', 'text', (row) => row.method.slice(0, 16)],
  ['route', 'text', (row) => row.route],
  ['status', 'smallint', (row) => row.status],
  ['ip', 'inet', (row) => row.ip],
  ['correlation_id', 'uuid', (row) => row.correlationId],
  ['client_correlation_id', 'text', (row) => row.clientCorrelationId],
  ['duration_ms', 'real', (row) => row.durationMs],
  ['refusal', 'text', (row) => row.refusal],
  ['from_browser', 'boolean', (row) => row.fromBrowser],
  ['count', 'integer', (_row, count) => count],
  ['fault', 'text', (row) => row.fault ?? null],
]

const accessColumns: readonly Column<AccessRow>[] = [
  ['at', 'timestamptz', (row) => row.at.toISOString()],
  ['practice_id', 'uuid', (row) => row.practiceId],
  ['principal_kind', 'text', (row) => row.principalKind],
  ['principal_id', 'text', (row) => row.principalId],
  ['client_id', 'text', (row) => row.clientId ?? null],
  ['action', 'text', (row) => row.action],
  ['resource_type', 'text', (row) => row.resourceType],
  ['patient_id', 'text', (row) => row.patientId],
  ['count', 'integer', (row) => row.count],
  ['purpose', 'text', (row) => row.purpose],
  ['outcome', 'text', (row) => row.outcome],
  ['correlation_id', 'uuid', (row) => row.correlationId],
  ['patient_ids', 'text[]', (row) => severalOf(row.patientIds)],
  ['export_id', 'uuid', (row) => row.exportId ?? null],
]

/** Null for a single patient, who is in `patient_id`. */
function severalOf(patientIds: readonly string[] | undefined): readonly string[] | null {
  return patientIds && patientIds.length > 0 ? patientIds : null
}

const names = (columns: readonly (readonly [string, ...unknown[]])[]) =>
  columns.map(([name]) => name).join(', ')
const fields = (columns: readonly (readonly [string, string, unknown])[]) =>
  columns.map(([name, type]) => `${name} ${type}`).join(', ')

const parameters = (columns: readonly (readonly [string, string, unknown])[], taken: number) =>
  columns.map(([, type], index) => `$${taken + index + 1}::${type}`).join(', ')

/** The placeholder of a column in the statement for a single record. */
function parameterOf(column: string): string {
  const index = activityColumns.findIndex(([name]) => name === column)
  return `$${index + 1}::${activityColumns[index]?.[1]}`
}

/** Adds to the daily counts of a key. */
const addDays = (selected: string) => `
  INSERT INTO log.activity_day AS known (key_id, day, served, refused, last_used_at)
  ${selected}
  ON CONFLICT (key_id, day) DO UPDATE SET
    served = known.served + excluded.served, refused = known.refused + excluded.refused,
    last_used_at = greatest(known.last_used_at, excluded.last_used_at)`

/**
 * CTEs that write many records. The days are summed and ordered by key, so that two processes lock rows in the same order.
 * @param activity a SELECT of activity rows
 * @param access a SELECT of access rows
 */
const writingParts = (activity: string, access: string) => `
input AS MATERIALIZED (${activity}), rows AS (
  INSERT INTO log.activity (${names(activityColumns)}) SELECT ${names(activityColumns)} FROM input
), days AS (${addDays(`
  SELECT key_id, (at AT TIME ZONE 'UTC')::date AS day,
    coalesce(sum(count) FILTER (WHERE refusal IS NULL), 0), coalesce(sum(count) FILTER (WHERE refusal IS NOT NULL), 0),
    max(at) FILTER (WHERE status <> 401)
  FROM input WHERE key_id IS NOT NULL GROUP BY key_id, day ORDER BY key_id, day`)}
), accesses AS (INSERT INTO log.phi_audit (${names(accessColumns)}) ${access})`

/** Writes a batch in one statement and one commit. */
const batchText = `WITH ${writingParts(
  `SELECT * FROM json_to_recordset($1::json) AS input (${fields(activityColumns)})`,
  `SELECT ${names(accessColumns)} FROM json_to_recordset($2::json) AS input (${fields(accessColumns)})`,
)} SELECT`

/** Writes a single record, without JSON to parse. */
const aloneText = `
WITH rows AS (
  INSERT INTO log.activity (${names(activityColumns)}) VALUES (${parameters(activityColumns, 0)})
), days AS (${addDays(`
  SELECT ${parameterOf('key_id')}, (${parameterOf('at')} AT TIME ZONE 'UTC')::date,
    CASE WHEN ${parameterOf('refusal')} IS NULL THEN ${parameterOf('count')} ELSE 0 END,
    CASE WHEN ${parameterOf('refusal')} IS NULL THEN 0 ELSE ${parameterOf('count')} END,
    CASE WHEN ${parameterOf('status')} <> 401 THEN ${parameterOf('at')} END
  WHERE ${parameterOf('key_id')} IS NOT NULL`)}
)
INSERT INTO log.phi_audit (${names(accessColumns)}) VALUES (${parameters(accessColumns, activityColumns.length)})`

type Statement = { name: string; text: string; values: unknown[] }

/** @returns the statement that writes all of these records or none */
export function insertRecords(records: readonly (LogRecord | CountedRecord | AccessRecord)[]): Statement {
  const [first] = records
  if (records.length === 1 && first?.activity && first.access)
    return {
      name: 'log:insert-alone',
      text: aloneText,
      values: [
        ...activityColumns.map(([, , value]) => value(first.activity, countOf(first))),
        ...accessColumns.map(([, , value]) => value(first.access as AccessRow, 1)),
      ],
    }
  const activity: object[] = []
  const access: object[] = []
  for (const record of records) {
    if (record.activity) activity.push(toObject(activityColumns, record.activity, countOf(record)))
    if (record.access) access.push(toObject(accessColumns, record.access, 1))
  }
  return { name: 'log:insert', text: batchText, values: [JSON.stringify(activity), JSON.stringify(access)] }
}

/**
 * The log rows of a read, for the statement that reads the resource and writes them. They get the patient of the resource
 * that it found, and the time that the statement took.
 */
export function writtenWithRead({ activity, access }: LogRecord): WrittenWithRead | undefined {
  if (access === undefined) return
  return {
    parts: partsOfRead,
    rows: [toObject(activityColumns, activity, 1), toObject(accessColumns, access, 1)],
  }
}

const selectFound = (
  json: string,
  columns: readonly Column<never>[],
  replaced: Readonly<Record<string, string>>,
) => `
  SELECT ${columns.map(([name]) => `${replaced[name] ?? `i.${name}`} AS ${name}`).join(', ')}
  FROM json_to_recordset(${json}::json) AS i (place integer, ${fields(columns)}) JOIN found f ON f.place = i.place
  WHERE f.id IS NOT NULL`

const partsOfRead: WrittenWithRead['parts'] = (activity, access) =>
  writingParts(
    selectFound(activity, activityColumns, {
      duration_ms: 'i.duration_ms + extract(milliseconds FROM clock_timestamp() - statement_timestamp())',
    }),
    selectFound(access, accessColumns, { patient_id: 'coalesce(f."patientId", i.patient_id)' }),
  )

const countOf = (record: LogRecord | CountedRecord | AccessRecord): number =>
  'count' in record ? record.count : 1

/** @returns the values by column, without nulls */
function toObject<Row>(columns: readonly Column<Row>[], row: Row, count: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, , value] of columns) {
    const field = value(row, count)
    if (field !== null) object[name] = field
  }
  return object
}
