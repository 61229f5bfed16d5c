/** Every act of operations checks, in this order, the role, the step-up and the reason. */
import type { z } from 'zod'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type OpsAct, type OpsAction, opsActions, opsReason } from '../../contract/portal/ops-actions.ts'
import { withRetry } from '../../store/retry.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { checkText } from '../text-scan/check-text.ts'

export type OpsCase = Readonly<{ tx: Prisma.TransactionClient; reason: string; now: Date }>

/** The subject and details of an act, for the audit row. */
export type OpsOutcome = Readonly<{
  subject: { kind: string; id: string | null }
  organizationId?: string | undefined
  practiceId?: string | undefined
  detail?: Prisma.InputJsonObject
}>

/**
 * Makes the act, the audit row and the emails in one transaction.
 * @throws Problem `forbidden` (the role; step-up, with the field `stepUp`), `validation` (the reason), and what `work`
 *   throws
 */
export async function act(
  core: Core,
  action: OpsAction,
  typed: string,
  actor: Actor,
  work: (context: OpsCase) => Promise<OpsOutcome>,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  const reason = await permit(core, typed, actor)
  await withRetry(prisma, async (tx) => {
    const outcome = await work({ tx, reason, now: clock() })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: opsActions[action].audit,
      subject: outcome.subject,
      ...(outcome.organizationId ? { organizationId: outcome.organizationId } : {}),
      ...(outcome.practiceId ? { practiceId: outcome.practiceId } : {}),
      detail: { ...outcome.detail, reason },
    })
  })
}

/** @returns the reason with single spaces */
export async function permit({ prisma, clock }: Core, typed: string, actor: Actor): Promise<string> {
  await requireStaff(prisma, actor, ['ops'])
  requireStepUp(actor, clock())
  const reason = typed.replace(/\s+/gu, ' ').trim()
  const { length } = [...reason]
  if (length < opsReason.least || length > opsReason.most || /\p{Cc}/u.test(reason))
    throw new Problem('validation', {
      field: 'reason',
      message: `Enter a reason of ${opsReason.least} to ${opsReason.most} characters.`,
    })
  checkText('reason', reason, actor)
  return reason
}

/** Parses the fields of an act's form, besides the reason. @throws Problem `validation` with the field */
export function parseActFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: OpsAct['fields'],
): z.output<Schema> {
  const parsed = schema.safeParse(fields ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Problem('validation', { field: String(issue?.path[0]), message: issue?.message ?? 'Not valid.' })
}

/** The conflict for a subject that is not in the expected state. */
export const changed = (message = 'This changed in the meantime. Review it again.'): Problem =>
  new Problem('conflict', { message })
