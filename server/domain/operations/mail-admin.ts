/** The outbox, for operations: emails with their state and a masked recipient, but without their content. */
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
 * Emails of a state, the newest first, and the count of each state. The search matches the template, or a complete
 * address: part of an address would disclose what the list masks.
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
    // The code and text of the mail server.
    lastError: withoutAddresses(row.lastError),
    // Whether an operator must still resend it or leave it unsent.
    open: row.state === 'failed' && row.leftUnsentAt === null,
    // An email whose links were erased can't be sent again.
    resendable:
      row.state === 'waiting'
        ? row.nextAttemptAt > clock()
        : row.state === 'failed' && (row.sealedLinks !== null || !mail.hasLinks(row.template)),
  }))
  return {
    mails: { ...listed, rows },
    counts: Object.fromEntries(counts.map((group) => [group.state, group._count])),
  }
}

/**
 * Sends an email again, with the same Message-ID and links.
 * @throws Problem `conflict` if it was sent already, or its links no longer work
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
      // Emails are given up by age, so the age starts again.
      data: { state: 'waiting', nextAttemptAt: now, lastError: null, createdAt: now, leftUnsentAt: null },
    })
    if (count === 0) throw changed('The email has been sent or is being sent.')
    await jobs.add(tx, 'send-mail', { id }, { jobKey: `mail:${id}`, maxAttempts: 10 })
    return { subject: { kind: 'mail', id }, detail: { template: row.template } }
  })
}

/**
 * Closes the to-do of a failed email, which stays in the list. @throws Problem `conflict` if it has not failed, or was
 * left unsent already
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

/** Emails that failed, or wait for a later attempt. One that is due is sent anyway. */
function restingAt(now: Date): Prisma.OutboxMailWhereInput[] {
  return [{ state: 'failed' }, { state: 'waiting', nextAttemptAt: { gt: now } }]
}

export const withoutAddresses = (text: string | null): string | null =>
  text?.replace(/[^\s<>"',;:()]+@[^\s<>"',;:()]+/g, '(address)').slice(0, 300) ?? null
