/**
 * Who administers an organization's own sandbox practice from the portal: allows a backend app and stops it, switches
 * FHIR off and on, stops access and resumes it, reads the record of access and the changes, and ends grants. Each action is audited under the account
 * of the person who took it. These roles never reach a production practice.
 */
import type { OrganizationRole } from '../portal/organization-roles.ts'

/** Who administers it. */
export const ownPracticeRoles: readonly OrganizationRole[] = ['owner', 'admin']
