/** What becomes of a patient's request for no further access, and who is told. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'

export const asker = {
  account: { select: { name: true, email: true, disabledAt: true } },
  practice: { select: { name: true } },
} as const satisfies Prisma.WithholdRequestInclude

type Asked = Prisma.WithholdRequestGetPayload<{ include: typeof asker }>

/** The patient's open request is answered by what the practice does. Null without one. */
export async function answerRequest(
  tx: Prisma.TransactionClient,
  of: Readonly<{ practiceId: string; patientId: string; withheldId: string; actor: Actor; now: Date }>,
): Promise<Asked | null> {
  const { practiceId, patientId, withheldId, actor, now } = of
  const open = await tx.withholdRequest.findFirst({ where: { practiceId, patientId, decidedAt: null } })
  if (!open) return null
  return tx.withholdRequest.update({
    where: { id: open.id },
    data: { decidedAt: now, decidedById: actor.accountId, outcome: 'withheld', withheldId },
    include: asker,
  })
}

/** Names no patient: an email is no place for who is a patient where. */
export async function mailAnswer(
  core: Core,
  tx: Prisma.TransactionClient,
  { account, practice }: Asked,
  of: Readonly<{ outcome: 'withheld' | 'declined' | 'ended'; reason: string | null; actor: Actor }>,
): Promise<void> {
  if (account.disabledAt) return
  const { outcome, reason, actor } = of
  await core.mail.enqueue(tx, {
    template: 'withhold-answer',
    to: account.email,
    props: {
      name: account.name,
      practiceName: practice.name,
      outcome,
      reason: reason?.replace(/\s+/gu, ' ') ?? null,
      at: core.clock().toISOString(),
    },
    correlationId: actor.correlationId,
  })
}
