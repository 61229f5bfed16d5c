import { type ProductionPartial, productionPartial } from '../../contract/forms/production-keys.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findMembers, requireRole } from '../organizations/membership.ts'
import { create, draftOf } from './drafts.ts'

/** Production keys: asked for, vouched for, agreements signed, reviewed, claimed, and kept to what they stand on. */
export { appeal, recertify, renew, resubmit } from './answers.ts'
export { findClaim, reissue, reveal } from './claims.ts'
export { create, findPractice, reinvite, save, submit, withdraw } from './drafts.ts'
export { tick } from './due.ts'
export { get } from './reads.ts'
export { recheckAllIn, reinstate, revoke, suspend } from './suspensions.ts'

// A new request starts with the details that are known already.

interface Begun {
  organizationId: string
  practiceSlug: string
  /** Another request of the organization, whose level, data and purposes the new one takes. */
  copyOf: string | null
  idempotencyKey: string
}

/**
 * Makes the draft for a practice. Who signs is the owner who asks, or the organization's only owner, with the title of
 * their last request.
 * @throws Problem `not_found`, `forbidden`, `conflict` (no domain confirmed), `validation` (of the practice)
 */
export async function begin(core: Core, input: Begun, actor: Actor): Promise<{ requestId: string }> {
  const { organizationId, practiceSlug, idempotencyKey } = input
  await requireRole(core.prisma, { organizationId, accountId: actor.accountId }, ['admin', 'owner'])
  const draft: ProductionPartial = {
    ...productionPartial.parse({ practiceSlug }),
    ...(await findCopied(core, input)),
    ...(await findSignatory(core, organizationId, actor)),
    practiceSlug,
  }
  return create(core, { organizationId, draft, idempotencyKey }, actor)
}

async function findCopied({ prisma }: Core, { organizationId, copyOf }: Begun) {
  if (copyOf === null) return {}
  const row = await prisma.productionKeyRequest.findFirst({ where: { id: rowId(copyOf), organizationId } })
  if (!row) throw new Problem('not_found')
  return draftOf(row)
}

async function findSignatory({ prisma }: Core, organizationId: string, { accountId }: Actor) {
  const owners = await findMembers(prisma, organizationId, ['owner'])
  const [only] = owners
  const signer = owners.find(({ id }) => id === accountId) ?? (owners.length === 1 ? only : undefined)
  if (!signer) return {}
  const { id, name } = signer
  const last = await prisma.productionKeyRequest.findFirst({
    where: { organizationId, signatoryId: id, signatoryTitle: { not: '' } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { signatoryName: true, signatoryTitle: true },
  })
  return {
    signatoryId: id,
    signatoryName: last?.signatoryName ?? name,
    signatoryTitle: last?.signatoryTitle ?? '',
  }
}
