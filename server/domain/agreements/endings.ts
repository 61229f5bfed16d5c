/** How an executed agreement ends before its time, and what the developer owes after a BAA. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { executedStates } from '../../contract/workflows/agreement-workflow.ts'
import { agreementTimes } from '../../contract/workflows/agreements.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { checkText, checkTexts } from '../text-scan/check-text.ts'
import type { AgreementTarget, AttestInput } from './agreement-types.ts'
import { daysAfter, passedReminder, retainUntil } from './retention.ts'
import { type Context, transition } from './transition.ts'

type Termination = AgreementTarget &
  Readonly<{
    comment: string
    /** The last day, in the office zone; null: at once. */
    effectiveOn: string | null
  }>

/** At once, or at the end of a later day. @throws Problem `validation` on `effectiveOn` */
export async function terminate(
  core: Core,
  { comment, effectiveOn, ...target }: Termination,
  actor: Actor,
): Promise<void> {
  const { calendar, clock } = core
  checkText('comment', comment, actor)
  if (effectiveOn === null) {
    await transition(core, target, 'terminate', actor, { effects: (of) => end(of, 'terminated', comment) })
    return
  }
  if (effectiveOn < calendar.dateOf(clock())) throw refuseDay('Choose a later day.')
  const endsAt = new Date(calendar.endOf(effectiveOn).getTime() + 1_000)
  await transition(core, target, 'give_notice', actor, {
    guards: { notice_is_earlier: ({ row }) => requireEarlier(row, endsAt) },
    effects: ({ party, now }) => ({
      data: {
        endsAt,
        endReason: comment,
        endedBySide: party.side,
        endedById: party.accountId,
        remindedDays: passedReminder(endsAt, now),
        retainUntil: retainUntil(endsAt),
      },
      text: comment,
      detail: { endsAt: endsAt.toISOString() },
      emails: () => ({ 'agreement-notice': { reason: comment, endsAt: endsAt.toISOString() } }),
    }),
  })
}

function requireEarlier({ expiresAt, endReason, endsAt: present }: Agreement, endsAt: Date): void {
  if (expiresAt && endsAt >= expiresAt) throw refuseDay('It ends before that day anyway.')
  if (endReason !== null && present && endsAt >= present)
    throw refuseDay('Notice was already given. You can only choose an earlier date.')
}

const refuseDay = (message: string) => new Problem('validation', { field: 'effectiveOn', message })

/** What an end does besides, by a person or by time. */
export async function end(
  { tx, row, party, now }: Context,
  word: 'expired' | 'terminated',
  reason: string,
  at = now,
) {
  const task = row.kind === 'baa' ? await openTask(tx, row.id, now) : null
  return {
    data: {
      endsAt: at,
      endedAt: at,
      endReason: reason,
      ...(party.side === null ? {} : { endedBySide: party.side, endedById: party.accountId }),
      retainUntil: retainUntil(at),
    },
    text: reason,
    detail: { ended: word, by: party.side ?? row.endedBySide },
    emails: () => ({
      'agreement-ended': {
        bySide: (side: string) => ({
          reason,
          expired: word === 'expired',
          endedAt: at.toISOString(),
          returnBy: side === 'developer' ? (task?.dueAt.toISOString() ?? null) : null,
        }),
      },
    }),
  }
}

function openTask(tx: Prisma.TransactionClient, agreementId: string, now: Date) {
  const dueAt = daysAfter(now, agreementTimes.returnOrDestroyDays)
  return tx.agreementReturnTask.upsert({
    where: { agreementId },
    create: { agreementId, openedAt: now, dueAt },
    update: {},
  })
}

/** @see Agreements.openReturnTask */
export async function openReturnTask(
  _: Core,
  tx: Prisma.TransactionClient,
  { organizationId, practiceId, now }: { organizationId: string; practiceId: string; now: Date },
): Promise<void> {
  const baas = await tx.agreement.findMany({
    where: { organizationId, practiceId, kind: 'baa', state: { in: [...executedStates] } },
    select: { id: true },
  })
  for (const { id } of baas) await openTask(tx, id, now)
}

/** What was done with the data, said by somebody who may say it. */
export async function attest(core: Core, input: AttestInput, actor: Actor): Promise<void> {
  const { outcome, statement, legalName, title, ...target } = input
  checkTexts({ statement, legalName, title }, actor)
  const open = ({ row }: Context) => ({ agreementId: row.id, attestedAt: null })
  await transition(core, target, 'attest_return', actor, {
    guards: {
      return_owed: async (of) => {
        if ((await of.tx.agreementReturnTask.count({ where: open(of) })) === 0)
          throw new Problem('conflict', { message: 'No attestation is due, or it has been made.' })
      },
    },
    effects: async (of) => {
      await of.tx.agreementReturnTask.updateMany({
        where: open(of),
        data: {
          outcome,
          statement,
          legalName,
          title,
          attestedById: of.party.accountId,
          attestedAt: of.now,
        },
      })
      return {
        text: statement,
        detail: { outcome },
        emails: () => ({ 'agreement-returned': { outcome, statement } }),
      }
    },
  })
}
