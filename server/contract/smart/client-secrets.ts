/** Secrets of confidential apps: who makes and ends them, and how many live side by side. */
import type { OrganizationRole } from '../portal/organization-roles.ts'

/** A second one, so that the first can be given up without an outage. */
export const clientSecretsMax = 2

/** Who in an organization makes and ends them, by the environment of the app (security of production keys). */
export const clientSecretRoles: Readonly<Record<'sandbox' | 'production', readonly OrganizationRole[]>> = {
  sandbox: ['developer', 'admin', 'owner'],
  production: ['admin', 'owner'],
}
