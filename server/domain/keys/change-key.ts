/**
 * Sets the networks that a key may be used from. A change raises the key's version, which the statement that reads data
 * compares, so every process follows it on the next call.
 */
import { networksMax, parseNetwork } from '../../contract/http/networks.ts'
import { Problem } from '../../contract/http/problems.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { getOwnedKey, keyState } from './owned-key.ts'

/**
 * @param input.networks in CIDR; an empty list allows every network
 * @throws Problem `validation`, `not_found`, `forbidden`, `conflict` (a key that has ended); `forbidden` (step-up) if a
 *   production key gets a further network
 */
export async function setNetworks(
  { prisma, clock, portalAudit }: Core,
  { keyId, networks }: { keyId: string; networks: readonly string[] },
  actor: Actor,
): Promise<{ networks: string[] }> {
  const list = toList(networks)
  const key = await getOwnedKey(prisma, { keyId, accountId: actor.accountId }, 'manage')
  const state = keyState(key, clock())
  if (state === 'revoked' || state === 'expired')
    throw new Problem('conflict', { message: 'This key has expired or was revoked.' })
  if (key.environment === 'production' && opensMore(key.allowedNetworks, list)) requireStepUp(actor, clock())
  await prisma.$transaction(async (tx) => {
    await tx.apiKey.update({
      where: { id: keyId },
      data: { allowedNetworks: list, version: { increment: 1 } },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: key.organizationId,
      practiceId: key.practiceId,
      action: 'api_key.networks_changed',
      subject: { kind: 'api_key', id: keyId },
      detail: { prefix: key.prefix, from: key.allowedNetworks, to: list },
    })
  })
  return { networks: list }
}

/** Whether a further network is allowed. An empty list allows every network. */
function opensMore(before: readonly string[], after: readonly string[]): boolean {
  return before.length > 0 && (after.length === 0 || after.some((network) => !before.includes(network)))
}

function toList(networks: readonly string[]): string[] {
  if (networks.length > networksMax) throw new Problem('validation', { field: 'networks' })
  const list = networks.map((text) => {
    const parsed = parseNetwork(text)
    if ('fault' in parsed) throw new Problem('validation', { field: 'networks' })
    return parsed.network
  })
  return [...new Set(list)]
}

// Whether AI assistants may write with a key. It is off until a manager of the key switches it on, with a fresh password,
// and for a production key with the second step. A change raises the key's version, so every process follows it on the
// next call.

/**
 * Switching it off makes a key safer, so it needs no password.
 * @throws Problem `not_found`, `forbidden`, `conflict` (a key that has ended, or that may not write at all), `forbidden` (step-up)
 */
export async function setMcpWrites(
  { prisma, clock, sessions, portalAudit }: Core,
  { keyId, on }: { keyId: string; on: boolean },
  actor: Actor,
): Promise<{ kind: 'set'; on: boolean } | { kind: 'step_up_needed' }> {
  const key = await getOwnedKey(prisma, { keyId, accountId: actor.accountId }, 'manage')
  const state = keyState(key, clock())
  if (state === 'revoked' || state === 'expired')
    throw new Problem('conflict', { message: 'This key has expired or was revoked.' })
  if (key.level !== 'full') throw new Problem('conflict', { message: 'A read-only key can’t write.' })
  if (on && !sessions.isStepUpFresh(actor)) return { kind: 'step_up_needed' }
  if (on && key.environment === 'production') requireStepUp(actor, clock())
  await prisma.$transaction(async (tx) => {
    const changed = await tx.apiKey.updateMany({
      where: { id: keyId, mcpWrites: !on },
      data: { mcpWrites: on, version: { increment: 1 } },
    })
    // The same click sent twice is one change.
    if (changed.count === 0) return
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: key.organizationId,
      practiceId: key.practiceId,
      action: on ? 'api_key.mcp_writes_on' : 'api_key.mcp_writes_off',
      subject: { kind: 'api_key', id: keyId },
      detail: { prefix: key.prefix },
    })
  })
  return { kind: 'set', on }
}
