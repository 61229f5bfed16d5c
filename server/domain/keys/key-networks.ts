/**
 * The list of networks a key may be used from. A change raises the key's version, which the statement that reads the
 * data compares: it holds on the next request at every process.
 */
import { networksMax, parseNetwork } from '../../contract/http/networks.ts'
import { Problem } from '../../contract/http/problems.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { keyState } from './key-state.ts'
import { getOwnedKey } from './owned-key.ts'

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
