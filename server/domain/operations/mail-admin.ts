/** The outbox, for operations: which mails wait or failed, to whom in outline, and never what stands in them. */
import type { OutboxMail, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { OpsAct } from '../../contract/portal/ops-actions.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { tokenInLink } from '../../contract/portal/paths.ts'
import { SealError } from '../../keyring.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { requireStaff } from '../staff.ts'
import { act, changed } from './ops-act.ts'

const mailStates = ['waiting', 'sending', 'sent', 'failed'] as const
type MailState = (typeof mailStates)[number]

/**
 * Those of a state, newest first, with how many there are of each. Searched by template, and by a whole address:
 * part of one would show what the list hides.
 * @throws Problem `forbidden`
 */
export async function list(
  { prisma, clock, mail }: Core,
  { state, ask = firstPage }: { state: MailState; ask?: PageAsk },
  actor: { accountId: string },
) {
  await requireStaff(prisma, actor, ['ops'])
  const where: Prisma.OutboxMailWhereInput = {
    state,
    ...searchWhere<Prisma.OutboxMailWhereInput>(ask.q, (like) => [
      { template: like },
      { toAddress: { equals: like.contains, mode: like.mode } },
    ]),
  }
  const [listed, counts] = await Promise.all([
    readPage(
      ask,
      () => prisma.outboxMail.count({ where }),
      (window) =>
        prisma.outboxMail.findMany({
          where,
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          omit: { props: true },
          ...window,
        }),
    ),
    prisma.outboxMail.groupBy({ by: ['state'], _count: true }),
  ])
  const rows = listed.rows.map((row) => ({
    id: row.id,
    template: row.template,
    to: maskEmail(row.toAddress),
    state: row.state as MailState,
    attempts: row.attempts,
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    nextAttemptAt: row.nextAttemptAt,
    // Of the mail server, its code and words.
    lastError: withoutAddresses(row.lastError),
    // An operator has yet to resend it or leave it unsent.
    open: row.state === 'failed' && row.leftUnsentAt === null,
    // Not once its links were erased: they would lead nowhere.
    resendable:
      row.state === 'waiting'
        ? row.nextAttemptAt > clock()
        : row.state === 'failed' && (row.sealedLinks !== null || !mail.hasLinks(row.template)),
  }))
  return {
    mails: { ...listed, rows },
    counts: Object.fromEntries(counts.map((each) => [each.state, each._count])),
  }
}

/**
 * Leaves under the same Message-ID, with the links it was written with.
 * @throws Problem `conflict` when it left already, or its links lead nowhere any more
 */
export function resend(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  const { mail, jobs } = core
  return act(core, 'resend_mail', reason, actor, async ({ tx, now }) => {
    if (!uuidPattern.test(id)) throw new Problem('not_found')
    const row = await tx.outboxMail.findUnique({ where: { id } })
    if (!row) throw new Problem('not_found')
    if (row.state === 'failed' && mail.hasLinks(row.template)) await requireLiveLinks(core, tx, row, now)
    const { count } = await tx.outboxMail.updateMany({
      where: { id, attempts: version, OR: restingAt(now) },
      // Given up is given up by age: it counts anew from here.
      data: { state: 'waiting', nextAttemptAt: now, lastError: null, createdAt: now, leftUnsentAt: null },
    })
    if (count === 0) throw changed('The email has been sent or is being sent.')
    await jobs.add(tx, 'send-mail', { id }, { jobKey: `mail:${id}`, maxAttempts: 10 })
    return { subject: { kind: 'mail', id }, detail: { template: row.template } }
  })
}

/**
 * It stays in the list of failed emails, and is no to-do any more. @throws Problem `conflict` for one that has not
 * failed, or was left unsent already
 */
export function leaveUnsent(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'leave_mail_unsent', reason, actor, async ({ tx, now }) => {
    if (!uuidPattern.test(id)) throw new Problem('not_found')
    const [mail] = await tx.outboxMail.updateManyAndReturn({
      where: { id, attempts: version, state: 'failed', leftUnsentAt: null },
      data: { leftUnsentAt: now },
      select: { template: true },
    })
    if (!mail) throw changed('The email was sent, is being sent, or was left unsent in the meantime.')
    return { subject: { kind: 'mail', id }, detail: { template: mail.template } }
  })
}

async function requireLiveLinks(core: Core, tx: Prisma.TransactionClient, row: OutboxMail, now: Date) {
  if (row.sealedLinks === null)
    throw changed('Its links were erased. The recipient must request a new email.')
  for (const link of Object.values(openLinks(core, row))) {
    const token = tokenInLink(link)
    const issued = token === undefined ? null : await linkTokens.findByToken(tx, token)
    if (issued && (issued.consumedAt || issued.replacedAt || issued.expiresAt <= now))
      throw changed('Its link has expired or was used. The recipient must request a new email.')
  }
}

function openLinks({ mail }: Core, row: OutboxMail): Record<string, string> {
  try {
    return mail.openLinks(row)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw changed(`Its links cannot be opened: ${error.message}. Check ENCRYPTION_KEYS.`)
  }
}

/** Failed, or waiting for a later attempt: one that is due leaves by itself. */
function restingAt(now: Date): Prisma.OutboxMailWhereInput[] {
  return [{ state: 'failed' }, { state: 'waiting', nextAttemptAt: { gt: now } }]
}

export const withoutAddresses = (text: string | null): string | null =>
  text?.replace(/[^\s<>"',;:()]+@[^\s<>"',;:()]+/g, '(address)').slice(0, 300) ?? null
