/** The early end of an executed agreement, and the return of data after a BAA. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { executedStates } from '../../contract/workflows/agreement-workflow.ts'
import { agreementTimes } from '../../contract/workflows/agreements.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { checkText, checkTexts } from '../text-scan/check-text.ts'
import type { AgreementDatabase, AgreementTarget, AttestInput, Cover, InForce } from './agreement-types.ts'
import { type StepContext, transition } from './transition.ts'

type Termination = AgreementTarget &
  Readonly<{
    comment: string
    /** The last day, in the office zone; null to end it at once. */
    effectiveOn: string | null
  }>

/** Ends an agreement at once, or at the end of a later day. @throws Problem `validation` on `effectiveOn` */
export async function terminate(core: Core, { comment, effectiveOn, ...target }: Termination, actor: Actor) {
  const { calendar, clock } = core
  checkText('comment', comment, actor)
  if (effectiveOn === null) {
    const effects = (context: StepContext) => end(context, 'terminated', comment)
    await transition(core, target, 'terminate', actor, { effects })
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

/** The effects of an end, by a person or by time. */
export async function end(
  { tx, row, party, now }: StepContext,
  cause: 'expired' | 'terminated',
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
    detail: { ended: cause, by: party.side ?? row.endedBySide },
    emails: () => ({
      'agreement-ended': {
        bySide: (side: string) => ({
          reason,
          expired: cause === 'expired',
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

/** Requires the developer to return or destroy the practice's data while a BAA is still in force. */
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

/** Attests that the data was returned or destroyed. */
export async function attest(core: Core, input: AttestInput, actor: Actor): Promise<void> {
  const { outcome, statement, legalName, title, ...target } = input
  checkTexts({ statement, legalName, title }, actor)
  const open = ({ row }: StepContext) => ({ agreementId: row.id, attestedAt: null })
  await transition(core, target, 'attest_return', actor, {
    guards: {
      return_owed: async (context) => {
        if ((await context.tx.agreementReturnTask.count({ where: open(context) })) === 0)
          throw new Problem('conflict', { message: 'No attestation is due, or it has been made.' })
      },
    },
    effects: async (context) => {
      await context.tx.agreementReturnTask.updateMany({
        where: open(context),
        data: {
          outcome,
          statement,
          legalName,
          title,
          attestedById: context.party.accountId,
          attestedAt: context.now,
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

// The executed agreements that cover a requested access.

const withDocument = {
  executed: { select: { sha256: true } },
  signatures: { where: { side: 'developer' } },
} as const satisfies Prisma.AgreementInclude

type Row = Prisma.AgreementGetPayload<{ include: typeof withDocument }>

/** The agreements in force at that moment; null for each that is missing. */
export const inForce = (core: Core, db: AgreementDatabase, cover: Cover) =>
  find(core, db, cover, { begun: true })

/** Like `inForce`, but with executed agreements that begin on a later day, so that they are not signed twice. */
export const covering = (core: Core, db: AgreementDatabase, cover: Cover) =>
  find(core, db, cover, { begun: false })

async function find(core: Core, db: AgreementDatabase, cover: Cover, { begun }: { begun: boolean }) {
  const running = {
    organizationId: cover.organizationId,
    state: { in: [...executedStates] },
    endsAt: { gt: cover.now },
    ...(begun ? { effectiveAt: { lte: cover.now } } : {}),
  }
  const [usage] = await db.agreement.findMany({
    where: { ...running, kind: 'usage_agreement' },
    include: withDocument,
    orderBy: { endsAt: 'desc' },
    take: 1,
  })
  const [baa] =
    cover.practiceId === null
      ? []
      : await db.agreement.findMany({
          where: {
            ...running,
            kind: 'baa',
            practiceId: cover.practiceId,
            ...(cover.level === 'full' ? { level: 'full' } : {}),
            dataClasses: { hasEvery: [...cover.dataClasses] },
            purposes: { hasEvery: [...cover.purposes] },
          },
          include: withDocument,
          orderBy: { endsAt: 'desc' },
          take: 1,
        })
  return {
    usageAgreement: usage ? await toInForce(db, usage) : null,
    usagePolicy: usage ? toPolicy(core, usage) : null,
    baa: baa ? await toInForce(db, baa) : null,
  }
}

async function toInForce(db: AgreementDatabase, row: Row): Promise<InForce> {
  const version = await db.agreementVersion.findUniqueOrThrow({
    where: { agreementId_number: { agreementId: row.id, number: row.number } },
    select: { templateVersion: true, source: true },
  })
  return {
    ...termOf(row),
    version: version.templateVersion ?? version.source,
    sha256: row.executed?.sha256 ?? '',
  }
}

/** The usage policy, if the version accepted with the agreement is still the published one. */
function toPolicy({ agreementTexts: texts }: Core, row: Row): InForce | null {
  const accepted = row.signatures.find(({ number }) => number === row.number)
  const current = texts.get('usage-policy')
  if (!accepted?.policyVersion || accepted.policySha256 !== current.sha256) return null
  return { ...termOf(row), version: accepted.policyVersion, sha256: accepted.policySha256 }
}

function termOf(row: Row): Pick<InForce, 'agreementId' | 'effectiveAt' | 'expiresAt'> {
  if (!row.effectiveAt || !row.endsAt) throw new Error(`the executed agreement ${row.id} has no term`)
  return { agreementId: row.id, effectiveAt: row.effectiveAt, expiresAt: row.endsAt }
}

// Dates of an agreement.

export const dayMs = 86_400_000

export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * dayMs)
}

/** Documents are retained for six years after their last day in force. */
export function retainUntil(lastEffectiveAt: Date): Date {
  const until = new Date(lastEffectiveAt)
  until.setUTCFullYear(until.getUTCFullYear() + agreementTimes.retentionYears)
  return until
}

/**
 * The last reminder before the end that is past already, in days before the end: it will not be sent late. Null if all
 * reminders are still to come.
 */
export function passedReminder(endsAt: Date, now: Date): number | null {
  const left = (endsAt.getTime() - now.getTime()) / dayMs
  const passed = agreementTimes.expiryReminderDays.filter((days) => left <= days)
  return passed.length > 0 ? Math.min(...passed) : null
}
