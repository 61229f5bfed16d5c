import { type ProductionPartial, productionPartial } from '../../contract/forms/production-keys.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findMembers, requireRole } from '../organizations/membership.ts'
import { create, draftOf } from './drafts.ts'

/** Production keys: the functions for developers, practices, reviewers, operations and jobs. */
export { appeal, recertify, renew, resubmit } from './answers.ts'
export { findClaim, reissue, reveal } from './claims.ts'
export { create, findPractice, reinvite, save, submit, withdraw } from './drafts.ts'
export { tick } from './due.ts'
export { get } from './reads.ts'
export { recheckAllIn, reinstate, revoke, suspend } from './suspensions.ts'

// A new request is prefilled with known details.

interface NewRequest {
  organizationId: string
  practiceSlug: string
  /** The id of another request of the organization; its level, data classes and purposes are copied. */
  copyOf: string | null
  idempotencyKey: string
}

/**
 * Creates the draft for a practice. The signatory is the requester, if an owner, or the organization's only owner, with
 * the title from their last request.
 * @throws Problem `not_found`, `forbidden`, `conflict` (no domain confirmed), `validation` (of the practice)
 */
export async function begin(core: Core, input: NewRequest, actor: Actor): Promise<{ requestId: string }> {
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

async function findCopied({ prisma }: Core, { organizationId, copyOf }: NewRequest) {
  if (copyOf === null) return {}
  const row = await prisma.productionKeyRequest.findFirst({ where: { id: rowId(copyOf), organizationId } })
  if (!row) throw new Problem('not_found')
  return draftOf(row)
}

async function findSignatory({ prisma }: Core, organizationId: string, { accountId }: Actor) {
  const owners = await findMembers(prisma, organizationId, ['owner'])
  const signer = owners.find(({ id }) => id === accountId) ?? (owners.length === 1 ? owners[0] : undefined)
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
