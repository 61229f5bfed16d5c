/**
 * The list of networks a key may be used from. A change raises the key's version, which the statement that reads the
 * data compares: it holds on the next request at every process.
 */
import { networksMax, parseNetwork } from '../../contract/http/networks.ts'
import { Problem } from '../../contract/http/problems.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { getOwnedKey, keyState } from './owned-key.ts'

/**
 * @param networks CIDR; none: from everywhere
 * @throws Problem `validation`, `not_found`, `forbidden`, `conflict` (a key that has ended); `forbidden` (step-up)
 *   to let more in with a production key
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

/** Whether some place is let in that was not; no list lets everybody in. */
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

// Whether AI assistants may write with a key. Off until a manager of the key switches it on, with a password given
// just now, and for a production key with the second step; a change raises the key's version, so it holds on the next
// call at every process.

/**
 * Switching off asks for no password: what makes a key safer is never held up.
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
    // It stood there already: twice the same click is one change.
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
