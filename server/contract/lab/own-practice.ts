/**
 * What an organization administers at its own sandbox practice, from the portal. Every act is audited under the account of
 * whoever did it. A production practice is never among what these roles reach.
 */
import type { OrganizationRole } from '../portal/organization-roles.ts'

/** Who administers it. */
export const ownPracticeRoles: readonly OrganizationRole[] = ['owner', 'admin']

export const ownPracticeActs = {
  allow_backend: 'Let a backend app of the organization read, and stop it. Nobody is asked.',
  set_fhir_policy: 'Switch FHIR off and on, and choose whose apps are let in and which types are let out.',
  read_audit: 'Read the record of access and the changes.',
  end_grant: 'End what a patient or clinician allowed an app.',
} as const
