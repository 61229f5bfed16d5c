/**
 * Who administers an organization's own sandbox practice from the portal: lets a backend app in and shuts it out, switches
 * FHIR off and on, reads the record of access and the changes, ends what people allowed. Every act is audited under the
 * account of whoever did it. A production practice is never among what these roles reach.
 */
import type { OrganizationRole } from '../portal/organization-roles.ts'

/** Who administers it. */
export const ownPracticeRoles: readonly OrganizationRole[] = ['owner', 'admin']
