/** A practice's stops, caps and narrowed access of a key or an app, for its owners. */
import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import { type KeyAccess, toKeyAccess } from '../../contract/keys/key-access.ts'
import type { Actor } from '../actor.ts'
import * as clients from '../clients/clients.ts'
import type { Core } from '../core.ts'
import { getOwnedKey } from '../keys/owned-key.ts'
import { describeCaps } from './key-caps.ts'

type Limits = Readonly<{
  /** Open stops that cover the key, the oldest first. */
  stops: readonly Readonly<{ at: Date; reason: string; practiceName: string }>[]
  /** Null if the key's access is not narrowed. */
  access: (KeyAccess & Readonly<{ from: Date }>) | null
}> &
  /** The caps, and the use today. */
  Awaited<ReturnType<typeof describeCaps>>

/** @throws Problem `not_found` unless the reader is a member of its organization */
export async function forOwner(
  core: Core,
  { keyId, accountId }: Readonly<{ keyId: string; accountId: string }>,
): Promise<Limits> {
  return findLimits(core, await getOwnedKey(core.prisma, { keyId, accountId }, 'see'))
}

/**
 * Open stops that cover an app, the oldest first. A stop of all access covers it at practices with a grant for it.
 * @throws Problem `not_found` unless the reader is a member of its organization
 */
export async function stopsOfApp(core: Core, clientId: string, actor: Actor): Promise<Limits['stops']> {
  const { organizationId } = await clients.get(core, clientId, actor)
  return findStops(core, {
    OR: [
      { clientId },
      ...(organizationId ? [{ organizationId }] : []),
      {
        ...{ clientId: null, keyId: null, organizationId: null },
        practice: { grants: { some: { clientId, revokedAt: null } } },
      },
    ],
  })
}

export async function findLimits(core: Core, key: ApiKey): Promise<Limits> {
  const stops = await findStops(core, {
    practiceId: key.practiceId,
    OR: [
      { keyId: key.id },
      ...(key.organizationId ? [{ organizationId: key.organizationId }] : []),
      { clientId: null, keyId: null, organizationId: null },
    ],
  })
  return {
    stops,
    ...(await describeCaps(core, key.capId)),
    access: key.narrowedFrom && { ...toKeyAccess(key), from: key.narrowedFrom },
  }
}

async function findStops({ prisma }: Core, where: Prisma.PracticeStopWhereInput): Promise<Limits['stops']> {
  const stops = await prisma.practiceStop.findMany({
    where: { endedAt: null, ...where },
    include: { practice: { select: { name: true } } },
    orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
  })
  return stops.map(({ startedAt, reason, practice }) => ({
    at: startedAt,
    reason,
    practiceName: practice.name,
  }))
}
