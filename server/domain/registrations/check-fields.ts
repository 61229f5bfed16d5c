/** Which fields of the form a check looks at: what of it changed could not have been seen before. */
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

/** Whether anything that the check looks at differs; without an earlier form nothing could be seen. */
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
