/**
 * Inbox entries that are not steps of a workflow, in the inbox's words. No workflow table says who may act on them, so
 * each entry does. The inbox's statement computes these states from the stored rows.
 */
import type { AwaitedStep, InboxRole } from './inbox-steps.ts'

/** Days before its end from which a key is listed: of the sandbox once it is in use, of production when it can be renewed. */
export const expiringDays = { sandbox: 14, production: 30 } as const
/** A sandbox key is in use when it was called within so many days. */
export const usedWithinDays = 30

/** An app's last token request is listed for so many days. */
export const tokenErrorDays = 7

const operators: readonly InboxRole[] = [{ realm: 'staff', role: 'ops' }]
const practiceAdmins: readonly InboxRole[] = [{ realm: 'practice', role: 'admin' }]
const owners: readonly InboxRole[] = [
  { realm: 'developer', role: 'admin' },
  { realm: 'developer', role: 'owner' },
]
const developers: readonly InboxRole[] = [{ realm: 'developer', role: 'developer' }, ...owners]

type Duties = Readonly<Record<string, Readonly<Record<string, readonly AwaitedStep[]>>>>

// biome-ignore format: a table reads as a table
export const duties = {
  expiring_key: {
    sandbox: [{ event: 'extend', asks: 'us', by: developers, title: 'Extend the key {name}. Calls with it fail once it expires.', action: 'Extend' }],
    production: [{ event: 'renew', asks: 'us', by: owners, title: 'Renew the production key {name}. Calls with it fail once it expires.', action: 'Renew' }],
  },
  suspended_key: {
    production: [{ event: 'end_suspension', asks: 'us', by: owners, title: 'Find out why the production key {name} is stopped. Its requests are refused.', action: 'See why' }],
  },
  access_review: {
    due: [{ event: 'recertify', asks: 'us', by: practiceAdmins, title: 'Confirm that the production key {name} may keep its access.', action: 'Review' }],
  },
  withhold_request: {
    open: [{ event: 'withhold', asks: 'practice', by: practiceAdmins, title: 'Decide on the request of a patient of {name}: no further access by keys and apps.', action: 'Decide' }],
  },
  access_alert: {
    open: [{ event: 'check_alert', asks: 'us', by: practiceAdmins, title: 'Check the alert about {name}.', action: 'Check' }],
  },
  role_request: {
    open: [{ event: 'approve_staff_role', asks: 'person', by: operators, title: 'Approve or reject the staff role for {name}.', action: 'Decide' }],
  },
  incident: {
    open: [{ event: 'update', asks: 'person', by: operators, title: 'Update or resolve {name}.', action: 'Update' }],
  },
  component: {
    unexplained: [{ event: 'open_incident', asks: 'us', by: operators, title: 'Report an incident: {name} has a problem.', action: 'Report' }],
  },
  failed_email: {
    unsent: [{ event: 'resend_mail', asks: 'us', by: operators, title: 'Resend the failed emails {name}, or leave them unsent.', action: 'Decide' }],
  },
  failed_job: {
    stopped: [{ event: 'retry_job', asks: 'us', by: operators, title: 'Run the failed jobs {name} again, or cancel them.', action: 'Decide' }],
  },
  app_token_errors: {
    refused: [{ event: 'correct_token_request', asks: 'us', by: developers, title: 'Correct the token requests of {name}: the last one was refused.', action: 'See error' }],
  },
} as const satisfies Duties
