/** What is written down about a request. Made from route patterns, never from URLs. */
import type { WrittenWithRead } from '../store/batch-read.ts'

/** One row of `log.activity`. */
export type ActivityRow = {
  at: Date
  door: 'fhir' | 'bulk' | 'rest' | 'smart' | 'status'
  /** Null where neither key, token nor path tells: a token that is unknown. */
  environment: 'sandbox' | 'production' | null
  /** The key it is logged to, also when that key was refused. */
  keyId: string | null
  /** The app it is logged to: its wire client_id, when it is one that exists. */
  clientId?: string | null
  /** What an unknown or malformed key claims to be. */
  claimedPrefix: string | null
  practiceId: string | null
  method: string
  /** `/patients/{id}`; `*` where nothing answers. */
  route: string
  status: number
  ip: string | null
  correlationId: string
  clientCorrelationId: string | null
  durationMs: number
  /** Why it was refused, for the owner of the key; null when it was served. */
  refusal: string | null
  fromBrowser: boolean
  /** The step that the Fault Lab injected; left out: none. */
  fault?: string | null
}

/** One row of `log.phi_audit`. */
export type AccessRow = {
  at: Date
  practiceId: string
  principalKind: 'api_key' | 'smart_token' | 'backend_token' | 'session' | 'system'
  principalId: string
  /** The app through which it was done; left out where there is none. */
  clientId?: string | null
  action: string
  resourceType: string | null
  /** When the access concerned one patient. */
  patientId: string | null
  /** When it disclosed records of several patients: each once. */
  patientIds?: readonly string[] | undefined
  /** Of a file of an export: `log.export_patients` says whose records it holds. */
  exportId?: string | null | undefined
  /** Records in the answer. */
  count: number
  purpose: string
  outcome: 'served' | 'refused' | 'failed'
  correlationId: string
}

/** A request at an interface, and whose record it touched. */
export type LogRecord = { activity: ActivityRow; access?: AccessRow }

/** Access by a person in the portal, which is no request at an interface. */
export type AccessRecord = { activity?: undefined; access: AccessRow }

/** A record, and how many equal ones it stands for. */
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

/** Null without a list: one patient is in `patient_id`. */
function severalOf(patientIds: readonly string[] | undefined): readonly string[] | null {
  return patientIds && patientIds.length > 0 ? patientIds : null
}

const names = (columns: readonly (readonly [string, ...unknown[]])[]) =>
  columns.map(([name]) => name).join(', ')
const fields = (columns: readonly (readonly [string, string, unknown])[]) =>
  columns.map(([name, type]) => `${name} ${type}`).join(', ')

const parameters = (columns: readonly (readonly [string, string, unknown])[], taken: number) =>
  columns.map(([, type], index) => `$${taken + index + 1}::${type}`).join(', ')

/** The parameter that holds a column of a record that comes alone. */
function parameterOf(column: string): string {
  const index = activityColumns.findIndex(([name]) => name === column)
  return `$${index + 1}::${activityColumns[index]?.[1]}`
}

/** Adds to the counts of each key and day. */
const addDays = (selected: string) => `
  INSERT INTO log.activity_day AS known (key_id, day, served, refused, last_used_at)
  ${selected}
  ON CONFLICT (key_id, day) DO UPDATE SET
    served = known.served + excluded.served, refused = known.refused + excluded.refused,
    last_used_at = greatest(known.last_used_at, excluded.last_used_at)`

/**
 * Parts of a statement that writes many records. The days are summed and ordered by key: two processes lock the same
 * rows in the same order.
 * @param activity a SELECT of rows of activity
 * @param access a SELECT of rows of access
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

/** A whole batch in one statement, so in one commit. */
const batchText = `WITH ${writingParts(
  `SELECT * FROM json_to_recordset($1::json) AS input (${fields(activityColumns)})`,
  `SELECT ${names(accessColumns)} FROM json_to_recordset($2::json) AS input (${fields(accessColumns)})`,
)} SELECT`

/** A served request that comes alone, with no list to take apart. */
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

/** The statement that writes these records, all or none. */
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
 * The record of a read that the statement of the read writes, for what it finds: the patient is whose chart it found, and
 * the time goes on until then.
 */
export function writtenWithRead({ activity, access }: LogRecord): WrittenWithRead | undefined {
  if (access === undefined) return
  return {
    parts: partsOfRead,
    rows: [toObject(activityColumns, activity, 1), toObject(accessColumns, access, 1)],
  }
}

const ofFound = (
  json: string,
  columns: readonly Column<never>[],
  replaced: Readonly<Record<string, string>>,
) => `
  SELECT ${columns.map(([name]) => `${replaced[name] ?? `i.${name}`} AS ${name}`).join(', ')}
  FROM json_to_recordset(${json}::json) AS i (place integer, ${fields(columns)}) JOIN found f ON f.place = i.place
  WHERE f.id IS NOT NULL`

const partsOfRead: WrittenWithRead['parts'] = (activity, access) =>
  writingParts(
    ofFound(activity, activityColumns, {
      duration_ms: 'i.duration_ms + extract(milliseconds FROM clock_timestamp() - statement_timestamp())',
    }),
    ofFound(access, accessColumns, { patient_id: 'coalesce(f."patientId", i.patient_id)' }),
  )

const countOf = (record: LogRecord | CountedRecord | AccessRecord): number =>
  'count' in record ? record.count : 1

/** By column; one that is left out is null. */
function toObject<Row>(columns: readonly Column<Row>[], row: Row, count: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, , value] of columns) {
    const field = value(row, count)
    if (field !== null) object[name] = field
  }
  return object
}
