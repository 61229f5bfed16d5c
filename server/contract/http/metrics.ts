/**
 * What `/metrics` tells, in the words of https://prometheus.io/docs/practices/naming/ . Labels come from tables and route
 * patterns, never from a caller: no practice, key, person or address is in any of them.
 */

type Metric = Readonly<{
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
  /** Upper bounds in seconds. */
  buckets?: readonly number[]
}>

const gauge = (help: string, ...labels: readonly string[]): Metric => ({ type: 'gauge', help, labels })

export const metrics = {
  sandpiper_http_requests_total: {
    type: 'counter',
    help: 'Responses sent, by interface, route pattern, method and status class; injected: a fault that a developer switched on.',
    labels: ['door', 'route', 'method', 'status'],
  },
  sandpiper_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time to the first byte of a response, by interface and route pattern, without injected faults.',
    labels: ['door', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  sandpiper_limit_refusals_total: {
    type: 'counter',
    help: 'Requests refused by a rate limit, by the window of the limits table that was used up.',
    labels: ['door', 'window'],
  },
  sandpiper_load_refusals_total: {
    type: 'counter',
    help: 'Requests refused with 503 because the process had too much to do, by interface and class of work.',
    labels: ['door', 'class'],
  },
  sandpiper_jobs: gauge(
    'Jobs by task: waiting, running, or failed after their last attempt.',
    'task',
    'state',
  ),
  sandpiper_jobs_oldest_due_seconds: gauge('How long the oldest due job has been waiting to start.'),
  sandpiper_outbox_mails: gauge(
    'Emails in the outbox that have not been sent: waiting, sending, failed.',
    'state',
  ),
  sandpiper_outbox_oldest_waiting_seconds: gauge('How long the oldest email has been waiting to be sent.'),
  sandpiper_exports: gauge('Bulk exports: running now, failed within the last day.', 'state'),
  sandpiper_search_rows_behind: gauge(
    'Resources whose search rows lack a parameter of this release, by type. They are reindexed in the background; the parameter is not offered until then.',
    'type',
  ),
  sandpiper_database_connections: gauge(
    'Connections of this process to the database: in_use, idle.',
    'state',
  ),
  sandpiper_database_requests_waiting: gauge('Requests in this process that are waiting for a connection.'),
  sandpiper_audit_oldest_unsealed_seconds: gauge(
    'Age of the oldest audit row that is not sealed; more than a minute means that no worker is sealing.',
  ),
  sandpiper_audit_oldest_uncovered_seconds: gauge(
    'Age of the oldest audit row that no signed head covers; more than five minutes means that heads cannot be written.',
  ),
  sandpiper_audit_head_folder_faults: gauge(
    '1 if a head folder lacks its newest head, has one that the database does not know, or cannot be read.',
    'folder',
  ),
  sandpiper_audit_chain_broken: gauge(
    '1 if the last check of the audit chain failed. It is checked every night and on demand.',
  ),
  sandpiper_log_months_ahead_seconds: gauge(
    'Time until a log has no partition for the current month. The worker creates three months ahead; less than 45 days means that it can’t.',
    'log',
  ),
  sandpiper_credentials_mended: gauge(
    'Credentials that were good or not good against the records, found and corrected in the last 24 hours. More than 0 is a fault.',
  ),
  sandpiper_build_info: gauge(
    'Always 1: the release of this process, and the newest migration that it knows.',
    'version',
    'schema',
  ),
  sandpiper_limits_state: gauge(
    '1 for the way in which this process counts rate limits: memory (there is no Valkey), shared, or per_process (Valkey is away).',
    'state',
  ),
  sandpiper_export_free_bytes: gauge(
    'Free space of the disk on which the files of exports lie; left out if it cannot be read.',
  ),
  sandpiper_clock_offset_seconds: gauge(
    'By how much the clock of the database is ahead of the clock of this process. More than 5 seconds either way is a fault of one of the two machines.',
  ),
  sandpiper_database_up: gauge(
    '1 if the database answered this scrape; otherwise metrics from the database are left out.',
  ),
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

/** Of Node and the process, by the library; those that dashboards may name. */
export const processMetrics = [
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_used_bytes',
] as const

/** Seconds. Beyond this, `/readyz` says that the clock is off; tokens and signatures begin to fail with others. */
export const clockOffsetMax = 5

export const metricApis = ['fhir', 'bulk', 'smart', 'rest', 'status', 'portal', 'service'] as const
export type MetricApi = (typeof metricApis)[number]

/** Further route patterns count as `other`, so that no caller can fill the memory of the monitoring system. */
export const metricRoutesMax = 400
