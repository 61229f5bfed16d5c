import type { AgreementEventName } from '../../../server/contract/workflows/agreement-workflow.ts'

/** The events of an agreement's workflow as people read them. */
const words: Record<AgreementEventName, string> = {
  offer: 'Offered',
  sign: 'Signed',
  sign_last: 'Signed, the last signature',
  counter_sign: 'Counter-signed',
  edit: 'A change was proposed',
  reject: 'Rejected',
  name_signatory: 'Somebody else signs',
  reoffer: 'A new version was offered',
  void: 'Void',
  remind: 'Reminder sent',
  stall: 'Stalled',
  resume: 'Taken up again',
  resume_half: 'Taken up again',
  lapse: 'Withdrawn after 60 silent days',
  withdraw: 'Withdrawn',
  remind_expiry: 'Reminder of its end sent',
  amend: 'An amendment was offered',
  renew: 'A renewal was offered',
  give_notice: 'Notice was given',
  terminate: 'Terminated',
  end_notice: 'Ended by notice',
  expire: 'Expired',
  supersede: 'Replaced',
  drop_amendment: 'The amendment came to nothing',
  attest_return: 'Return or destruction attested',
}

export const agreementEventWords: Readonly<Record<string, string>> = words
