import type { AgreementEventName } from '../../../server/contract/workflows/agreement-workflow.ts'

/** The events of an agreement's workflow as people read them. */
const words: Record<AgreementEventName, string> = {
  offer: 'Offered',
  sign: 'Signed',
  sign_last: 'Signed (last signature)',
  counter_sign: 'Counter-signed',
  edit: 'Change proposed',
  reject: 'Rejected',
  name_signatory: 'Signatory changed',
  reoffer: 'New version offered',
  void: 'Declared void',
  remind: 'Reminder sent',
  stall: 'Stalled',
  resume: 'Resumed',
  resume_half: 'Resumed',
  lapse: 'Withdrawn after 60 days without activity',
  withdraw: 'Withdrawn',
  remind_expiry: 'Expiry reminder sent',
  amend: 'Amendment offered',
  renew: 'Renewal offered',
  give_notice: 'Notice given',
  terminate: 'Terminated',
  end_notice: 'Ended by notice',
  expire: 'Expired',
  supersede: 'Replaced',
  drop_amendment: 'Amendment abandoned',
  attest_return: 'Return or destruction attested',
}

export const agreementEventWords: Readonly<Record<string, string>> = words
