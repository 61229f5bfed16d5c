import type { RegistrationEventName } from '../../../server/contract/workflows/registration-workflow.ts'

/** What happened to a registration, as its developer reads it: every event of the workflow that developers see. */
const words: Record<
  | Exclude<RegistrationEventName, 'save' | 'assign' | 'propose_rejection' | 'dismiss_rejection'>
  | 'clock_breach',
  string
> = {
  create: 'Draft created',
  submit: 'Submitted',
  submit_request: 'Submitted',
  submit_incomplete: 'Received, but incomplete',
  claim: 'Claimed for review',
  verify_authenticity: 'Organization verified',
  validate_configuration: 'Configuration approved',
  request_info: 'Questions sent',
  resubmit: 'Answers received',
  remind: 'Reminder sent',
  lapse: 'Withdrawn after 30 days without an answer',
  withdraw: 'Withdrawn',
  approve: 'Approved; checking the authorization server',
  probe_ok: 'Authorization server accepted the app: enabled',
  probe_fail: 'Authorization server has not accepted the app yet',
  retry: 'Authorization server checked again',
  reject: 'Rejected',
  appeal: 'Appealed',
  change: 'Details changed',
  request_change: 'Change requested',
  suspend: 'Suspended',
  reinstate: 'Active again',
  retire: 'Retired',
  reopen: 'Reopened',
  clock_breach: 'A deadline passed; operations were alerted',
}

export const eventWords: Readonly<Record<string, string>> = words
