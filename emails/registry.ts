/** Every mail that can leave: name → subject, props, words and an example. The workflows name these. */
import type { z } from 'zod'
import { accessAlerts } from './templates/access-alerts.ts'
import {
  accountExists,
  emailChange,
  emailChanged,
  emailChangeNotice,
  mfaReset,
  newDevice,
  passwordChanged,
  passwordReset,
  staffInvitation,
  verifyEmail,
  welcome,
} from './templates/accounts.ts'
import {
  agreementEnded,
  agreementExpiring,
  agreementNotice,
  agreementReturnDue,
  agreementReturned,
} from './templates/agreement-endings.ts'
import {
  agreementChanged,
  agreementClosed,
  agreementCounterSign,
  agreementExecuted,
  agreementOffered,
  agreementReminder,
  agreementSigned,
  agreementStalled,
} from './templates/agreement-signing.ts'
import { deprecationNotice } from './templates/deprecation.ts'
import { inboxDigest } from './templates/inbox.ts'
import { keyAccess } from './templates/key-access.ts'
import { keyCaps } from './templates/key-caps.ts'
import {
  keyClaim,
  keyClaimExpired,
  keyDraft,
  keyRequestDeclined,
  keyRequestNeedsInfo,
  keyRequestReceived,
  keyRequestReview,
} from './templates/key-requests.ts'
import { keyExpired, keyExpiring, keyLeaked, keyRevealed, keyRevoked, keyRotated } from './templates/keys.ts'
import { operationsNotice } from './templates/operations-notice.ts'
import {
  invitation,
  invitationAccepted,
  invitationCancelled,
  invitationExpired,
  memberRemoved,
  organizationRenamed,
  verifyDomain,
} from './templates/organizations.ts'
import { practiceAccess } from './templates/practice-access.ts'
import { practiceInvitation, practiceRoleChanged } from './templates/practice-people.ts'
import {
  productionExpired,
  productionExpiring,
  productionReinstated,
  productionRenewalAsked,
  productionRevoked,
  productionRotated,
  productionSuspended,
  recertificationDue,
} from './templates/production-life.ts'
import {
  productionApproved,
  productionClaim,
  productionClaimExpired,
  productionInfoReminder,
  productionNeedsInfo,
  productionRejected,
  productionRevealed,
  productionWithdrawn,
} from './templates/production-review.ts'
import {
  productionHoldEnded,
  productionReceived,
  productionSecurityHold,
  sponsorConfirmed,
  sponsorDeclined,
  sponsorExpired,
  sponsorInvited,
  sponsorReminder,
} from './templates/production-sponsor.ts'
import {
  registrationAppealed,
  registrationEnabled,
  registrationReinstated,
  registrationRejected,
  registrationRetired,
  registrationSuspended,
  registrationSuspendedPractice,
  registrationWithdrawn,
} from './templates/registration-outcomes.ts'
import {
  registrationAuthenticity,
  registrationChanged,
  registrationIncomplete,
  registrationReceived,
  registrationResubmitted,
} from './templates/registration-progress.ts'
import {
  registrationInactive,
  registrationNeedsInfo,
  registrationReminder,
} from './templates/registration-questions.ts'
import { registrationProbeFailed, reviewDigest, reviewEscalation } from './templates/registration-staff.ts'
import { statusChanged, statusConfirm, statusIncident } from './templates/status.ts'
import { systemDecided, systemRequested, systemRevoked } from './templates/system-authorization.ts'
import { withholdAnswer } from './templates/withhold-answer.ts'

export const registry = {
  'verify-email': verifyEmail,
  'account-exists': accountExists,
  welcome,
  'new-device': newDevice,
  'password-reset': passwordReset,
  'password-changed': passwordChanged,
  'second-factor-reset': mfaReset,
  'operations-notice': operationsNotice,
  'staff-invitation': staffInvitation,
  'email-change': emailChange,
  'email-change-notice': emailChangeNotice,
  'email-changed': emailChanged,
  invitation,
  'invitation-accepted': invitationAccepted,
  'invitation-expired': invitationExpired,
  'invitation-cancelled': invitationCancelled,
  'member-removed': memberRemoved,
  'organization-renamed': organizationRenamed,
  'key-request-received': keyRequestReceived,
  'key-claim': keyClaim,
  'key-revealed': keyRevealed,
  'key-claim-expired': keyClaimExpired,
  'key-revoked': keyRevoked,
  'key-rotated': keyRotated,
  'key-expiring': keyExpiring,
  'key-expired': keyExpired,
  'key-leaked': keyLeaked,
  'key-request-review': keyRequestReview,
  'key-request-needs-info': keyRequestNeedsInfo,
  'key-request-declined': keyRequestDeclined,
  'key-draft': keyDraft,
  'registration-received': registrationReceived,
  'registration-incomplete': registrationIncomplete,
  'registration-authenticity': registrationAuthenticity,
  'registration-needs-info': registrationNeedsInfo,
  'registration-reminder': registrationReminder,
  'registration-resubmitted': registrationResubmitted,
  'registration-inactive': registrationInactive,
  'registration-enabled': registrationEnabled,
  'registration-rejected': registrationRejected,
  'registration-appealed': registrationAppealed,
  'registration-changed': registrationChanged,
  'registration-withdrawn': registrationWithdrawn,
  'registration-suspended': registrationSuspended,
  'registration-suspended-practice': registrationSuspendedPractice,
  'registration-reinstated': registrationReinstated,
  'registration-retired': registrationRetired,
  'registration-probe-failed': registrationProbeFailed,
  'review-escalation': reviewEscalation,
  'review-digest': reviewDigest,
  'system-requested': systemRequested,
  'system-decided': systemDecided,
  'system-revoked': systemRevoked,
  'verify-domain': verifyDomain,
  'production-received': productionReceived,
  'sponsor-invited': sponsorInvited,
  'sponsor-reminder': sponsorReminder,
  'sponsor-confirmed': sponsorConfirmed,
  'sponsor-declined': sponsorDeclined,
  'sponsor-expired': sponsorExpired,
  'production-security-hold': productionSecurityHold,
  'production-hold-ended': productionHoldEnded,
  'production-needs-info': productionNeedsInfo,
  'production-info-reminder': productionInfoReminder,
  'production-approved': productionApproved,
  'production-rejected': productionRejected,
  'production-claim': productionClaim,
  'production-claim-expired': productionClaimExpired,
  'production-revealed': productionRevealed,
  'production-withdrawn': productionWithdrawn,
  'production-rotated': productionRotated,
  'production-renewal-asked': productionRenewalAsked,
  'production-expiring': productionExpiring,
  'production-suspended': productionSuspended,
  'production-reinstated': productionReinstated,
  'production-revoked': productionRevoked,
  'production-expired': productionExpired,
  'recertification-due': recertificationDue,
  'key-access': keyAccess,
  'access-alerts': accessAlerts,
  'key-caps': keyCaps,
  'practice-access': practiceAccess,
  'withhold-answer': withholdAnswer,
  'practice-invitation': practiceInvitation,
  'practice-role-changed': practiceRoleChanged,
  'agreement-offered': agreementOffered,
  'agreement-signed': agreementSigned,
  'agreement-counter-sign': agreementCounterSign,
  'agreement-executed': agreementExecuted,
  'agreement-changed': agreementChanged,
  'agreement-reminder': agreementReminder,
  'agreement-stalled': agreementStalled,
  'agreement-closed': agreementClosed,
  'agreement-expiring': agreementExpiring,
  'agreement-notice': agreementNotice,
  'agreement-ended': agreementEnded,
  'agreement-return-due': agreementReturnDue,
  'agreement-returned': agreementReturned,
  'inbox-digest': inboxDigest,
  'status-confirm': statusConfirm,
  'status-incident': statusIncident,
  'status-changed': statusChanged,
  'deprecation-notice': deprecationNotice,
} as const

export type MailName = keyof typeof registry
export type MailProps<Name extends MailName> = z.input<(typeof registry)[Name]['props']>
export type MailLink<Name extends MailName> = (typeof registry)[Name]['links'][number]

export const mailNames = Object.keys(registry) as readonly MailName[]

export function isMailName(name: string): name is MailName {
  return Object.hasOwn(registry, name)
}
