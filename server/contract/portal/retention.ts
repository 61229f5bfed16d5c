/** How long what is kept, and why. One row a kind of record; a test makes a row just younger and one just older of each. */

export type Retention = {
  /** What it is, for people. */
  readonly what: string
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
    why: 'Who built on us asks about last month, now and then about last year.',
    job: 'forget-activity',
  },
  activity_days: {
    what: 'Counts per key and day',
    tables: ['log.activity_day'],
    from: 'the day',
    for: { months: 13 },
    why: 'A year can be held against the same month of the year before.',
    job: 'forget-activity',
  },
  phi_audit: {
    what: 'Audit of access to records',
    tables: ['log.phi_audit'],
    from: 'the access',
    for: { years: 6 },
    why: 'The retention of HIPAA documentation, 45 CFR 164.316(b)(2).',
    job: 'forget-activity',
  },
  portal_audit: {
    what: 'Audit of the portal',
    tables: ['portal.audit_event', 'portal.audit_head'],
    from: 'the change',
    for: null,
    why: 'Its rows are chained: none can go without breaking the proof of the others.',
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
    why: 'Locked for six years, 45 CFR 164.316(b)(2); after that nobody deletes them unasked.',
    job: null,
  },
  sessions: {
    what: 'Sessions',
    tables: ['portal.session'],
    from: 'their end',
    for: { days: 0 },
    why: 'An ended session is worth nothing to anybody.',
    job: 'delete-ended',
  },
  tokens: {
    what: 'Access tokens, refresh tokens, authorization codes',
    tables: ['portal.access_token', 'portal.refresh_token', 'portal.authorization_code'],
    from: 'their end',
    for: { days: 1 },
    why: 'A day longer, so that a refusal can still tell its cause.',
    job: 'delete-ended',
  },
  assertions: {
    what: 'Ids of assertions that were used (jti)',
    tables: ['portal.used_assertion'],
    from: 'their end',
    for: { days: 0 },
    why: 'An assertion that is over is refused without them.',
    job: 'delete-ended',
  },
  assertion_reports: {
    what: 'Reports on assertions that were refused',
    tables: ['portal.assertion_attempt'],
    from: 'the attempt',
    for: { days: 30 },
    why: 'Who looks for a mistake in their client looks within days.',
    job: 'delete-ended',
  },
  authorize_requests: {
    what: 'Authorize requests and launches',
    tables: ['portal.authorization_request', 'portal.launch_context'],
    from: 'their end',
    for: { days: 1 },
    why: 'A day longer, for questions.',
    job: 'delete-ended',
  },
  simulated_launches: {
    what: 'Simulated launches with their logs',
    tables: ['portal.launch_simulation'],
    from: 'their end',
    for: { days: 30 },
    why: 'As for assertions: who looks for a mistake looks within days. Those made without an account go after an hour.',
    job: 'delete-ended',
  },
  fault_switches: {
    what: 'Faults that were switched on',
    tables: ['portal.fault_switch'],
    from: 'their end',
    for: { days: 30 },
    why: 'As for simulated launches.',
    job: 'delete-ended',
  },
  links: {
    what: 'Links of mails',
    tables: ['portal.link_token'],
    from: 'their end',
    for: { days: 30 },
    why: 'An old mail still says why its link no longer works.',
    job: 'delete-ended',
  },
  outbox: {
    what: 'Mails that left or failed',
    tables: ['portal.outbox_mail', 'portal.mailbox_message'],
    from: 'the writing',
    for: { days: 30 },
    why: 'Long enough to ask where a mail went.',
    job: 'delete-ended',
  },
  jobs: {
    what: 'Jobs that ran out of attempts',
    tables: ['graphile_worker._private_jobs'],
    from: 'the last attempt',
    for: { days: 30 },
    why: 'Long enough for operations to see why they failed and to run them again.',
    job: 'delete-ended',
  },
  counters: {
    what: 'Counters of attempts (hashed address, IP)',
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
    why: 'As the contract of the REST API says.',
    job: 'delete-ended',
  },
  key_drafts: {
    what: 'Keys asked for by mail that nobody confirmed',
    tables: ['portal.key_draft'],
    from: 'their end',
    for: { days: 0 },
    why: 'The address may be somebody else’s.',
    job: 'forget-activity',
  },
  unverified_accounts: {
    what: 'Accounts whose address nobody confirmed',
    tables: ['portal.account'],
    from: 'the sign-up',
    for: { days: 7 },
    why: 'The address may be somebody else’s.',
    job: 'purge-unverified',
  },
  export_files: {
    what: 'Files of bulk exports',
    tables: ['portal.bulk_export'],
    from: 'the end of the export',
    for: { days: 1 },
    why: 'Whole records on a disk, for no longer than a client needs to fetch them.',
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
