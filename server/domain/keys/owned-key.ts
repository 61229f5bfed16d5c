/** Finds a key for members of the organization that owns it. */
import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { OrganizationRole } from '../../contract/portal/organization-roles.ts'
import { everyMember, requireRole } from '../organizations/membership.ts'

export type OwnedKey = ApiKey & { organizationId: string }

/** Every developer manages sandbox keys; only admins and owners manage production keys. */
const managers = {
  sandbox: ['developer', 'admin', 'owner'],
  production: ['admin', 'owner'],
} as const satisfies Record<ApiKey['environment'], readonly OrganizationRole[]>

/** @throws Problem `not_found`, `forbidden` (a role that only reads), `conflict` (to manage a key of the explorer) */
export async function getOwnedKey(
  db: Prisma.TransactionClient,
  { keyId, accountId }: { keyId: string; accountId: string },
  to: 'see' | 'manage',
): Promise<OwnedKey> {
  const key = await db.apiKey.findUnique({ where: { id: rowId(keyId) } })
  if (!key?.organizationId) throw new Problem('not_found')
  const { organizationId, environment } = key
  await requireRole(db, { organizationId, accountId }, to === 'see' ? everyMember : managers[environment])
  if (key.explorer && to === 'manage')
    throw new Problem('conflict', {
      message: 'The explorer manages this key. It expires within the hour, or when you sign out.',
    })
  return { ...key, organizationId }
}

export function mayManage(role: OrganizationRole, environment: ApiKey['environment']): boolean {
  return managers[environment].some((allowed) => allowed === role)
}

/** The states of an existing key, derived from its dates. */
type KeyState = 'active' | 'suspended' | 'revoked' | 'expired'

export function keyState(
  key: { revokedAt: Date | null; suspendedAt: Date | null; expiresAt: Date },
  now: Date,
): KeyState {
  if (key.revokedAt) return 'revoked'
  if (key.expiresAt <= now) return 'expired'
  return key.suspendedAt ? 'suspended' : 'active'
}
