/**
 * What was done, said once on the next page. The cookie names a sentence of this table, so that
 * nobody can make the portal say something else.
 */
export const doneMessages = {
  signed_out: 'You are signed out.',
  password_changed: 'Password changed. Your other sessions ended.',
  password_reset: 'Password changed. Sign in with the new one.',
  email_verified: 'Your mail address is confirmed.',
  email_change_sent: 'We mailed a link to the new address.',
  email_change_cancelled: 'Change cancelled. Its link no longer works.',
  email_changed: 'Mail address changed. Sign in with the new one from now on.',
  session_ended: 'Session ended.',
  sessions_ended: 'Your other sessions ended.',
  organization_created: 'Organization created.',
  organization_renamed: 'Name changed.',
  organization_left: 'You left the organization.',
  organization_joined: 'You are in.',
  invitation_sent: 'Invitation sent.',
  invitation_renewed: 'Invitation sent again.',
  invitation_cancelled: 'Invitation cancelled. Its link no longer works.',
  role_changed: 'Role changed.',
  member_removed: 'Member removed.',
  key_requested: 'Request sent. We mail you the claim link.',
  claim_sent: 'A new claim link is on its way.',
  key_stored: 'Key closed. Nobody can show it again.',
  key_revoked: 'Key revoked. Calls with it now get 401.',
  key_extended: 'Key extended.',
  key_grace_changed: 'Grace changed.',
  key_networks_changed: 'List of networks saved. It holds from the next request on.',
  key_mcp_writes_on: 'Writing is on. Assistants with this key may write from the next call on.',
  key_mcp_writes_off: 'Writing is off. It holds from the next call on.',
  key_answered: 'Answer sent. A reviewer looks at it.',
  key_draft_confirmed: 'Request sent. We mail you the claim link.',
  review_noted: 'Done. It stands in the history.',
  domain_link_sent: 'We mailed a link there. It is good for 72 hours.',
  domain_verified: 'Confirmed. The domain is known to be the organization’s.',
  review_decided: 'Decided. The developer gets a mail.',
  limits_changed: 'Limits changed. They hold from the next request on.',
  faults_on: 'Switched on. It holds within a second.',
  faults_off: 'Switched off. Requests are answered as they should be.',
  second_step_reset: 'Second step reset. Its holder gets a mail and is signed out.',
  status_set: 'Set. Everybody who asks for the status gets it from now on.',
  status_ended: 'Ended. The status is what the checks find.',
  key_already_ended: 'That key had already ended.',
  registration_saved: 'Draft saved.',
  registration_imported: 'File read. Look it over, and save.',
  registration_submitted: 'Submitted. Both clocks run from today.',
  registration_answered: 'Answers sent. The promise runs on.',
  registration_withdrawn: 'Withdrawn.',
  registration_appealed: 'Appeal sent. Another reviewer looks at it.',
  registration_reopened: 'Opened again.',
  registration_changed: 'Changed. It is shown from now on.',
  registration_change_asked: 'Asked. The old configuration serves until it is decided.',
  more_asked: 'Asked. A reviewer decides within five business days.',
  scopes_saved: 'Scopes saved.',
  client_secret_ended: 'Given up. It is refused from the next request on.',
  app_stopped: 'Stopped. The app reads nothing new from now on.',
  system_granted: 'Granted. The system can ask for a token now.',
  system_declined: 'Declined. Its developer sees your reason.',
  system_revoked: 'Revoked. Its next request is refused.',
  export_cancelled: 'Cancelled. Its files are gone, and its links open nothing.',
  agreement_signed: 'Signed. It is in force when the other side has signed.',
  agreement_executed: 'Signed by all. The executed document is below.',
  agreement_changed: 'Sent. The other side reads the new version.',
  agreement_signatory_named: 'Named. The new version waits for the signatures.',
  agreement_rejected: 'Rejected. The other side reads why.',
  agreement_withdrawn: 'Withdrawn.',
  agreement_resumed: 'Taken up again.',
  agreement_renewed: 'Offered again. Both sides sign.',
  agreement_ended: 'Ended. Keys that need it have stopped.',
  agreement_notice: 'Notice given. Both sides get a mail.',
  return_attested: 'Attested. The practice gets a mail.',
  production_saved: 'Saved.',
  production_submitted: 'Sent. The admins of the practice got a mail.',
  production_done: 'Done. It stands in the history.',
  production_withdrawn: 'Withdrawn.',
  profile_saved: 'Security profile saved. New requests hand it in.',
  sponsor_confirmed: 'Confirmed. The documents come next.',
  sponsor_answered: 'Answered. The developers get a mail.',
  practice_suspended_key: 'Suspended. Its next request is refused.',
  practice_revoked_key: 'Revoked. It cannot be brought back.',
  practice_key_works: 'Done. See below how it stands now.',
  practice_certified: 'Confirmed for a year.',
  practice_staff_changed: 'Done. The person gets a mail.',
  practice_invited: 'Invitation sent.',
  practice_joined: 'You are in. Sign in to begin.',
  fhir_policy_saved: 'Saved. It holds from the next request on.',
  system_requested: 'Asked. The practice decides.',
} as const

export type Done = keyof typeof doneMessages
const cookieName = 'sandpiper-done'

/** Set-Cookie for the redirect that follows a done thing. */
export const doneCookie = (done: Done) => `${cookieName}=${done}; Path=/; Max-Age=60; SameSite=Lax; HttpOnly`

/** Set-Cookie that forgets it after it was said. */
export const saidCookie = () => `${cookieName}=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly`

export function doneOf(cookies: string | null): Done | null {
  const found = new RegExp(`(?:^|;\\s*)${cookieName}=([a-z_]{1,40})(?:;|$)`).exec(cookies ?? '')?.[1]
  return found !== undefined && Object.hasOwn(doneMessages, found) ? (found as Done) : null
}
