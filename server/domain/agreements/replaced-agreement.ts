/** Agreements that another one replaces. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { executedStates } from '../../contract/workflows/agreement-workflow.ts'
import type { Core } from '../core.ts'
import { retainUntil } from './endings.ts'
import { lock, type StepContext, transitionIn } from './transition.ts'

/** Whether a person ended the agreement or gave notice. An expired term does not count. */
export function wasEnded({ state, endReason }: Pick<Agreement, 'state' | 'endReason'>): boolean {
  if (state === 'terminated') return true
  return executedStates.some((each) => each === state) && endReason !== null
}

/**
 * Refuses a replacement for an agreement that a person has ended: signatures from before would restore it.
 * @throws Problem `conflict`
 */
export async function refuseReplacingEnded(
  tx: Prisma.TransactionClient,
  { replacesId }: Pick<Agreement, 'replacesId'>,
): Promise<void> {
  if (replacesId === null) return
  const replaced = await tx.agreement.findUniqueOrThrow({ where: { id: replacesId } })
  if (wasEnded(replaced))
    throw new Problem('conflict', {
      message: 'The agreement that this replaces was ended, or notice was given. Withdraw this one.',
    })
}

/** Supersedes the replaced agreement, if it is still in force, once its replacement is executed. */
export async function supersede(
  core: Core,
  tx: Prisma.TransactionClient,
  replacement: Pick<Agreement, 'id' | 'replacesId'>,
): Promise<void> {
  if (!(await isAmended(core, tx, replacement))) return
  await transitionIn(core, tx, { agreementId: replacement.replacesId ?? '' }, 'supersede', 'system', {
    guards: { replacement_executed: requireReplacement({ id: replacement.id, executedAt: { not: null } }) },
    effects: ({ now }) => ({
      data: { endsAt: now, endedAt: now, retainUntil: retainUntil(now), endReason: 'Replaced.' },
      detail: { by: replacement.id },
    }),
  })
}

/** Restores the agreement that a closed amendment was to replace. */
export async function dropAmendment(
  core: Core,
  tx: Prisma.TransactionClient,
  amendment: Pick<Agreement, 'id' | 'replacesId'>,
): Promise<void> {
  if (!(await isAmended(core, tx, amendment))) return
  await transitionIn(core, tx, { agreementId: amendment.replacesId ?? '' }, 'drop_amendment', 'system', {
    guards: { replacement_closed: requireReplacement({ id: amendment.id, endedAt: { not: null } }) },
  })
}

async function isAmended(
  core: Core,
  tx: Prisma.TransactionClient,
  { replacesId }: Pick<Agreement, 'replacesId'>,
): Promise<boolean> {
  if (replacesId === null) return false
  return (await lock(core, tx, { agreementId: replacesId }, null)).row.state === 'amended'
}

function requireReplacement(where: Prisma.AgreementWhereInput) {
  return async ({ tx, row }: StepContext) => {
    const count = await tx.agreement.count({ where: { ...where, replacesId: row.id } })
    if (count === 0) throw new Problem('conflict')
  }
}
