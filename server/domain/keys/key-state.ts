/** The states of an existing key, derived from its dates. */
export type KeyState = 'active' | 'suspended' | 'revoked' | 'expired'

/** What a key is at this moment. */
export function keyState(
  key: { revokedAt: Date | null; suspendedAt: Date | null; expiresAt: Date },
  now: Date,
): KeyState {
  if (key.revokedAt) return 'revoked'
  if (key.expiresAt <= now) return 'expired'
  return key.suspendedAt ? 'suspended' : 'active'
}
