import type { RegistrationEventName } from '../../../server/contract/workflows/registration-workflow.ts'

const words: Readonly<Record<RegistrationEventName | 'clock_60' | 'clock_80' | 'clock_breach', string>> = {
  create: 'Draft created',
  save: 'Form saved',
  submit: 'Submitted',
  submit_request: 'Submitted',
  submit_incomplete: 'Submitted with errors',
  verify_authenticity: 'Organization verified',
  remind: 'Reminder sent',
  lapse: 'Withdrawn after 30 days without an answer',
  withdraw: 'Withdrawn',
  assign: 'Assigned',
  claim: 'Claimed',
  validate_configuration: 'Configuration checked',
  request_info: 'Questions sent',
  approve: 'Approved',
  propose_rejection: 'Rejection proposed',
  dismiss_rejection: 'Proposed rejection dismissed',
  reject: 'Rejected',
  resubmit: 'Questions answered',
  probe_ok: 'Enabled: the authorization server accepts the app',
  probe_fail: 'The authorization server did not accept the app',
  retry: 'Authorization server checked again',
  appeal: 'Appealed',
  change: 'Details changed',
  request_change: 'Change requested',
  suspend: 'Suspended',
  reinstate: 'Suspension ended',
  retire: 'Retired',
  reopen: 'Reopened',
  clock_60: 'Reminder: 60% of the time is used',
  clock_80: 'Reminder: 80% of the time is used',
  clock_breach: 'Overdue',
}

/** What happened, in a reviewer's words. */
export function describeEvent(event: string): string {
  return Object.hasOwn(words, event) ? words[event as keyof typeof words] : event.replaceAll('_', ' ')
}
