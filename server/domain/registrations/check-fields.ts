/** The fields that each check of the review covers. A reviewer could not have questioned a field that changed later. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { RegistrationCheckId } from '../../contract/workflows/registration-checks.ts'
import { diffRegistrations, type RegistrationField } from '../../contract/workflows/registration-form.ts'
import { readForm } from './stored-form.ts'

const fieldsOf: Readonly<Record<RegistrationCheckId, readonly RegistrationField[]>> = {
  organization: ['website'],
  domain: ['website'],
  contact: ['technicalContact', 'securityContact'],
  authority: [],
  identity: ['name', 'description', 'logo', 'audience'],
  links: ['website', 'privacyUrl', 'termsUrl'],
  redirects: ['redirectUris', 'launchUrl'],
  keys: ['clientType', 'jwks', 'jwksUrl'],
  scopes: ['scope', 'audience'],
  attestations: ['attestAuthority', 'attestPatients', 'attestSecrets', 'attestChanges'],
  purpose: [],
}

/** Whether a field of the check differs; false without an earlier form. */
export function changedSince(
  before: Prisma.JsonValue | undefined,
  after: Prisma.JsonValue | undefined,
  check: RegistrationCheckId,
): boolean {
  if (before === undefined || after === undefined) return false
  return diffRegistrations(readForm(before), readForm(after)).some(({ field }) =>
    fieldsOf[check].includes(field),
  )
}
