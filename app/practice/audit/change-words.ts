/** Words for the audit log's actions that concern a practice. */
import { productionKeyEvents } from '../../../server/contract/workflows/production-key-workflow.ts'
import { agreementEventWords } from '../../shared/agreements/agreement-events.ts'
import { productionEventWords } from '../../shared/production-keys/production-events.ts'

const words: Readonly<Record<string, string>> = {
  'api_key.access_changed': 'changed what a key can read',
  'api_key.caps_changed': 'changed how much a key can be used',
  'api_key.expired': 'a key expired',
  'api_key.extended': 'extended a key',
  'api_key.issued': 'a key was issued',
  'api_key.leaked': 'reported a key as leaked',
  'api_key.networks_changed': 'changed the networks that a key may be used from',
  'api_key.revoked': 'revoked a key',
  'api_key.rotated': 'rotated a key',
  'app_token.ended': 'ended an app’s access token',
  'app_token.issued': 'got an access token for an app',
  'bulk_export.cancelled': 'canceled an export',
  'grant.created': 'allowed an app',
  'grant.denied': 'did not allow an app',
  'grant.revoked': 'stopped an app',
  'practice.access_resumed': 'resumed access',
  'practice.access_reviewed': 'reviewed all access',
  'practice.access_stopped': 'stopped access',
  'practice.alerts_changed': 'changed when the practice is alerted',
  'practice.created': 'added the practice',
  'practice.fhir_policy_changed': 'changed what apps may read',
  'practice.network_forgotten': 'removed the name of a network',
  'practice.network_named': 'named a network',
  'practice.patient_released': 'stopped withholding a patient',
  'practice.withholding_declined': 'declined a patient’s request to be withheld',
  'practice.withholding_requested': 'requested no further access by keys and apps',
  'practice.patient_withheld': 'withheld a patient from keys and apps',
  'practice.use_reported': 'downloaded a report of use',
  'practice_staff.invitation_cancelled': 'withdrew an invitation',
  'practice_staff.invited': 'invited a person to the staff',
  'practice_staff.joined': 'joined the staff',
  'practice_staff.role_given': 'gave a person a role',
  'practice_staff.role_taken': 'took a role from a person',
  'production_key.clock_60': 'a key request has used 60% of its review time',
  'production_key.clock_80': 'a key request has used 80% of its review time',
  'production_key.clock_breach': 'the review of a key request is overdue',
  'production_key.recertified': 'confirmed a key for a year',
  'sandbox.people_added': 'added test sign-ins',
  'sandbox.people_password_reset': 'reset the password of the test sign-ins',
  'second_factor.reset': 'reset a person’s two-step sign-in',
  'system_authorization.declined': 'declined a backend system',
  'system_authorization.ended': 'a backend system’s access ended',
  'system_authorization.granted': 'granted a backend system access',
  'system_authorization.requested': 'requested access for a backend system',
  'system_authorization.revoked': 'revoked a backend system’s access',
}

/** A predicate that follows a name. An action without words is shown as it is stored. */
export function changeWords(action: string): string {
  const [noun = '', event = ''] = action.split('.')
  const known = Object.hasOwn(words, action) ? words[action] : undefined
  if (known) return known
  const key = productionKeyEvents.find((name) => name === event)
  if (noun === 'production_key' && key) return productionEventWords[key]
  const agreementWords = noun === 'agreement' ? agreementEventWords[event] : undefined
  if (agreementWords) return `agreement: ${agreementWords.charAt(0).toLowerCase()}${agreementWords.slice(1)}`
  return action.replace('.', ': ').replaceAll('_', ' ')
}
