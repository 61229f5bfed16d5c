/** How an executed agreement ends before its time, and what the developer owes after a BAA. */
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
    /** The last day, in the office zone; null: at once. */
    effectiveOn: string | null
  }>

/** At once, or at the end of a later day. @throws Problem `validation` on `effectiveOn` */
export async function terminate(core: Core, { comment, effectiveOn, ...target }: Termination, actor: Actor) {
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
  { tx, row, party, now }: StepContext,
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

/** The developer is to return or destroy what they have from the practice, though a BAA is in force. */
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

/** What was done with the data, said by a person who may say it. */
export async function attest(core: Core, input: AttestInput, actor: Actor): Promise<void> {
  const { outcome, statement, legalName, title, ...target } = input
  checkTexts({ statement, legalName, title }, actor)
  const open = ({ row }: StepContext) => ({ agreementId: row.id, attestedAt: null })
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

// What an organization has signed that covers what it asks for, and whether it is in force at a moment.

const withDocument = {
  executed: { select: { sha256: true } },
  signatures: { where: { side: 'developer' } },
} as const satisfies Prisma.AgreementInclude

type Row = Prisma.AgreementGetPayload<{ include: typeof withDocument }>

/** Each required agreement in force at that moment, by name; null when it is missing. */
export const inForce = (core: Core, db: AgreementDatabase, cover: Cover) =>
  find(core, db, cover, { begun: true })

/** As `inForce`: what is executed already, so that nothing is signed twice, even if it begins on a later day. */
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

/** Accepted with the agreement, and still the version that is published. */
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

// Days of an agreement: how long the document is kept, and which reminders of its end are past already.

export const dayMs = 86_400_000

export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * dayMs)
}

/** Until six years after the last day on which it was in force. */
export function retainUntil(lastEffectiveAt: Date): Date {
  const until = new Date(lastEffectiveAt)
  until.setUTCFullYear(until.getUTCFullYear() + agreementTimes.retentionYears)
  return until
}

/**
 * The reminder before that end which would have been due last, in days before it: none is sent late. Null when all
 * are still to come.
 */
export function passedReminder(endsAt: Date, now: Date): number | null {
  const left = (endsAt.getTime() - now.getTime()) / dayMs
  const passed = agreementTimes.expiryReminderDays.filter((days) => left <= days)
  return passed.length > 0 ? Math.min(...passed) : null
}
