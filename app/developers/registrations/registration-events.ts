import type { RegistrationEventName } from '../../../server/contract/workflows/registration-workflow.ts'

/** What happened to a registration, as its developer reads it: every event of the workflow that developers see. */
const words: Record<
  | Exclude<RegistrationEventName, 'save' | 'assign' | 'propose_rejection' | 'dismiss_rejection'>
  | 'clock_breach',
  string
> = {
  create: 'Draft begun',
  submit: 'Submitted',
  submit_request: 'Submitted',
  submit_incomplete: 'Received, not complete yet',
  claim: 'Taken for review',
  verify_authenticity: 'It is known who you are',
  validate_configuration: 'The configuration is in order',
  request_info: 'Asked for what is missing',
  resubmit: 'You answered',
  remind: 'Reminder sent',
  lapse: 'Closed after thirty silent days',
  withdraw: 'Withdrawn',
  approve: 'Approved; the sign-in server is asked',
  probe_ok: 'The sign-in server accepted the app: enabled',
  probe_fail: 'The sign-in server did not accept the app yet',
  retry: 'Asked the sign-in server again',
  reject: 'Rejected',
  appeal: 'Appealed',
  change: 'Details changed',
  request_change: 'Change asked for',
  suspend: 'Suspended',
  reinstate: 'Serving again',
  retire: 'Retired',
  reopen: 'Opened again',
  clock_breach: 'A clock ran out: our operations were paged',
}

export const eventWords: Readonly<Record<string, string>> = words
