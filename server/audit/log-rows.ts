/** What is written down about a request. Made from route patterns, never from URLs. */

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
  /** What `Retry-After` said; null where it said nothing. */
  retryAfterSeconds?: number | null
  /** Null where the answer is no list. */
  page?: PageMark | null
  /** The step that the Fault Lab injected; left out: none. */
  fault?: string | null
}

/** All there is in one page; the first with more to come; one in between; the last. */
export type PageMark = 'whole' | 'begun' | 'more' | 'last'

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

type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown]

const activityColumns: readonly Column<ActivityRow & { count: number }>[] = [
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
  ['count', 'integer', (row) => row.count],
  ['retry_after_s', 'integer', (row) => row.retryAfterSeconds ?? null],
  ['page', 'text', (row) => row.page ?? null],
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
]

const names = (columns: readonly (readonly [string, ...unknown[]])[]) =>
  columns.map(([name]) => name).join(', ')
const arrays = (columns: readonly (readonly [string, string, unknown])[], taken: number) =>
  columns.map(([, type], index) => `$${taken + index + 1}::${type}[]`).join(', ')

/**
 * A whole batch in one statement, so in one commit. The days are summed and ordered by key: two
 * processes lock the same rows in the same order.
 */
const text = `
WITH input AS (
  SELECT * FROM unnest(${arrays(activityColumns, 0)}) AS input (${names(activityColumns)})
), rows AS (
  INSERT INTO log.activity (${names(activityColumns)}) SELECT ${names(activityColumns)} FROM input
), days AS (
  INSERT INTO log.activity_day AS known (key_id, day, served, refused, last_used_at)
  SELECT key_id, (at AT TIME ZONE 'UTC')::date AS day,
    coalesce(sum(count) FILTER (WHERE refusal IS NULL), 0), coalesce(sum(count) FILTER (WHERE refusal IS NOT NULL), 0),
    max(at) FILTER (WHERE status <> 401)
  FROM input WHERE key_id IS NOT NULL GROUP BY key_id, day ORDER BY key_id, day
  ON CONFLICT (key_id, day) DO UPDATE SET
    served = known.served + excluded.served, refused = known.refused + excluded.refused,
    last_used_at = greatest(known.last_used_at, excluded.last_used_at)
)
INSERT INTO log.phi_audit (${names(accessColumns)})
SELECT * FROM unnest(${arrays(accessColumns, activityColumns.length)})`

/** The statement that writes these records, all or none. */
export function insertRecords(records: readonly (CountedRecord | (AccessRecord & { count: number }))[]): {
  name: string
  text: string
  values: unknown[][]
} {
  const activity = records.flatMap(({ activity: row, count }) => (row ? [{ ...row, count }] : []))
  const access = records.flatMap((record) => (record.access ? [record.access] : []))
  return {
    name: 'log:insert',
    text,
    values: [
      ...activityColumns.map(([, , value]) => activity.map(value)),
      ...accessColumns.map(([, , value]) => access.map(value)),
    ],
  }
}
