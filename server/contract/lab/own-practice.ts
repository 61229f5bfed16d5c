/** Who lets a backend app in at an organization's own sandbox, and shuts it out. */
import type { OrganizationRole } from '../portal/organization-roles.ts'

export const ownPracticeRoles: readonly OrganizationRole[] = ['owner', 'admin']
