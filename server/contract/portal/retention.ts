/** How long what is kept, and why. One row a kind of record; a test makes a row just younger and one just older of each. */

import { capDaysKept } from '../keys/key-caps.ts'

export type Retention = {
  /** What it is, for people. */
  readonly what: string
  /** With their partitions: of the logs, whole months are dropped, and the rows of the month in which the limit is one by one. */
  readonly tables: readonly string[]
  /** From when it counts. */
  readonly from: string
  /** How long after that; null: it is not deleted. */
  readonly for: { readonly years?: number; readonly months?: number; readonly days?: number } | null
  readonly why: string
  /** The job of server/jobs that deletes it. */
  readonly job: string | null
}

export const retention = {
  activity: {
    what: 'Activity log: every request of a key or app',
    tables: ['log.activity'],
    from: 'the request',
    for: { years: 1 },
    why: 'Developers look into last month, and sometimes last year.',
    job: 'forget-activity',
  },
  activity_days: {
    what: 'Counts per key and day',
    tables: ['log.activity_day'],
    from: 'the day',
    for: { months: 13 },
    why: 'Lets you compare a month with the same month of the previous year.',
    job: 'forget-activity',
  },
  access_days: {
    what: 'Figures per practice, key or app, and day: no patient and no full address',
    tables: ['portal.access_day'],
    from: 'the day',
    for: { months: 13 },
    why: 'As for counts per key and day.',
    job: 'count-access',
  },
  capped_days: {
    what: 'Use of capped keys per day: calls, and whose records',
    tables: ['portal.key_cap_day', 'portal.key_cap_patient'],
    from: 'the end of the day',
    for: { days: capDaysKept },
    why: 'A cap counts the current day, in any time zone.',
    job: 'delete-ended',
  },
  phi_audit: {
    what: 'Audit of access to records',
    tables: ['log.phi_audit', 'log.export_patients'],
    from: 'the access',
    for: { years: 6 },
    why: 'HIPAA documentation retention, 45 CFR 164.316(b)(2).',
    job: 'forget-activity',
  },
  portal_audit: {
    what: 'Audit of the portal',
    tables: ['portal.audit_event', 'portal.audit_head'],
    from: 'the change',
    for: null,
    why: 'Its rows are chained. Deleting one would break the proof of the others.',
    job: null,
  },
  agreements: {
    what: 'Agreements, their texts and signatures',
    tables: [
      'portal.agreement',
      'portal.agreement_version',
      'portal.agreement_signature',
      'portal.agreement_executed',
      'portal.agreement_event',
    ],
    from: 'the last day in force',
    for: null,
    why: 'Locked for six years, 45 CFR 164.316(b)(2). After that we delete them only on request.',
    job: null,
  },
  sessions: {
    what: 'Sessions',
    tables: ['portal.session'],
    from: 'their expiry',
    for: { days: 0 },
    why: 'An expired session has no further use.',
    job: 'delete-ended',
  },
  tokens: {
    what: 'Access tokens, refresh tokens, authorization codes',
    tables: ['portal.access_token', 'portal.refresh_token', 'portal.authorization_code'],
    from: 'their expiry',
    for: { days: 1 },
    why: 'One more day, so that a refusal can still state its cause.',
    job: 'delete-ended',
  },
  assertions: {
    what: 'Used assertion IDs (jti)',
    tables: ['portal.used_assertion'],
    from: 'their expiry',
    for: { days: 0 },
    why: 'An expired assertion is refused without them.',
    job: 'delete-ended',
  },
  assertion_reports: {
    what: 'Reports on refused assertions',
    tables: ['portal.assertion_attempt'],
    from: 'the attempt',
    for: { days: 30 },
    why: 'Developers look for a client bug within days.',
    job: 'delete-ended',
  },
  authorize_requests: {
    what: 'Authorize requests and launches',
    tables: ['portal.authorization_request', 'portal.launch_context'],
    from: 'their expiry',
    for: { days: 1 },
    why: 'One more day, for questions.',
    job: 'delete-ended',
  },
  simulated_launches: {
    what: 'Simulated launches with their logs',
    tables: ['portal.launch_simulation'],
    from: 'their end',
    for: { days: 30 },
    why: 'Developers look for a client bug within days. Launches made without an account are deleted after an hour.',
    job: 'delete-ended',
  },
  fault_switches: {
    what: 'Simulated faults',
    tables: ['portal.fault_switch'],
    from: 'their end',
    for: { days: 30 },
    why: 'As for simulated launches.',
    job: 'delete-ended',
  },
  links: {
    what: 'Links in emails',
    tables: ['portal.link_token'],
    from: 'their expiry',
    for: { days: 30 },
    why: 'An old link can still explain why it no longer works.',
    job: 'delete-ended',
  },
  outbox: {
    what: 'Sent and failed emails',
    tables: ['portal.outbox_mail', 'portal.mailbox_message'],
    from: 'creation',
    for: { days: 30 },
    why: 'Long enough to trace an email.',
    job: 'delete-ended',
  },
  jobs: {
    what: 'Jobs that ran out of attempts',
    tables: ['graphile_worker._private_jobs'],
    from: 'the last attempt',
    for: { days: 30 },
    why: 'Long enough for operations to see why they failed and to rerun them.',
    job: 'delete-ended',
  },
  counters: {
    what: 'Attempt counters (hashed address, IP)',
    tables: ['portal.throttle'],
    from: 'the window',
    for: { days: 1 },
    why: 'The longest window is a day.',
    job: 'delete-ended',
  },
  idempotency: {
    what: 'Idempotency-Keys of writes',
    tables: ['clinical.idempotency'],
    from: 'the request',
    for: { days: 1 },
    why: 'As promised in the REST API’s contract.',
    job: 'delete-ended',
  },
  key_drafts: {
    what: 'Unconfirmed key requests by email',
    tables: ['portal.key_draft'],
    from: 'their expiry',
    for: { days: 0 },
    why: 'The address may belong to someone else.',
    job: 'forget-activity',
  },
  unverified_accounts: {
    what: 'Accounts with an unconfirmed address',
    tables: ['portal.account'],
    from: 'the sign-up',
    for: { days: 7 },
    why: 'The address may belong to someone else.',
    job: 'purge-unverified',
  },
  export_files: {
    what: 'Files of bulk exports',
    tables: ['portal.bulk_export'],
    from: 'the end of the export',
    for: { days: 1 },
    why: 'Complete records on disk, kept only as long as a client needs to download them.',
    job: 'remove-export-files',
  },
} as const satisfies Record<string, Retention>

export type RetentionId = keyof typeof retention

/** `6 years`, `1 day`, `at once`, `kept`. */
export function retentionWords({ for: period }: Retention): string {
  if (period === null) return 'kept'
  const [unit, count] = Object.entries(period)[0] ?? ['days', 0]
  if (count === 0) return 'at once'
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
}
