/** Once a year an admin of the practice looks at every key that reaches it, and says that it may go on. */
import { Problem } from '../../contract/http/problems.ts'
import { keyedStates, type ProductionKeyState } from '../../contract/workflows/production-key-workflow.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { transact } from '../workflow/engine.ts'
import { findParty } from './parties.ts'
import { recheckIn } from './suspensions.ts'
import { lock, type RequestTarget } from './transition.ts'

/** It may go on for a year; a key that stood still for want of this works again. */
export async function recertify(
  core: Core,
  { requestId, version }: RequestTarget,
  actor: Actor,
): Promise<void> {
  const { clock, portalAudit } = core
  await transact(core, async (tx) => {
    const row = await lock(tx, requestId)
    const party = await findParty(tx, row, actor)
    if (party.kind !== 'sponsor')
      throw new Problem('forbidden', { message: 'Only an admin of the practice can confirm this.' })
    if (!keyedStates.includes(row.state as ProductionKeyState))
      throw new Problem('conflict', { message: 'There is no key to confirm.' })
    if (version !== undefined && version !== null && version !== row.version)
      throw new Problem('conflict', { message: 'This changed in the meantime. Review it again.' })
    requireStepUp(actor, clock())
    const now = clock()
    await tx.productionKeyRequest.update({
      where: { id: requestId },
      data: { certifiedAt: now, recertifyReminders: 0, version: { increment: 1 } },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: row.organizationId,
      ...(row.practiceId ? { practiceId: row.practiceId } : {}),
      action: 'production_key.recertified',
      subject: { kind: 'production_key_request', id: requestId },
      detail: { before: row.certifiedAt?.toISOString() ?? null },
    })
    await recheckIn(core, tx, requestId, 'system')
  })
}
