/** The outbox, for operations: which mails wait or failed, to whom in outline, and never what stands in them. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { OpsAct } from '../../contract/ops-actions.ts'
import { Problem } from '../../contract/problems.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import { requireStaff } from '../keys/staff.ts'
import { changed, type OpsActs, type OpsRooms } from './ops-rooms.ts'

export const mailStates = ['waiting', 'sending', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export type MailRow = Readonly<{
  id: string
  template: string
  to: string
  state: MailState
  attempts: number
  createdAt: Date
  sentAt: Date | null
  nextAttemptAt: Date
  /** Of the mail server, its code and words without an address. */
  lastError: string | null
  /** Its links were erased when it failed or left: sent again it would lead nowhere. */
  resendable: boolean
}>

export function createMailDesk(
  { prisma, clock, mail, jobs }: OpsRooms & { mail: Pick<Mail, 'hasLinks'>; jobs: JobQueue },
  { act }: OpsActs,
) {
  /** The newest hundred of a state, with how many there are of each. @throws Problem `forbidden` */
  async function list({ state }: { state: MailState }, actor: { accountId: string }) {
    await requireStaff(prisma, actor, ['ops'])
    const [rows, counts] = await Promise.all([
      prisma.outboxMail.findMany({
        where: { state },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 100,
        omit: { props: true, sealedLinks: true },
      }),
      prisma.outboxMail.groupBy({ by: ['state'], _count: true }),
    ])
    const mails: MailRow[] = rows.map((row) => ({
      id: row.id,
      template: row.template,
      to: maskEmail(row.toAddress),
      state: row.state as MailState,
      attempts: row.attempts,
      createdAt: row.createdAt,
      sentAt: row.sentAt,
      nextAttemptAt: row.nextAttemptAt,
      lastError: withoutAddresses(row.lastError),
      resendable:
        row.state === 'waiting'
          ? row.nextAttemptAt > clock()
          : row.state === 'failed' && !mail.hasLinks(row.template),
    }))
    return { mails, counts: Object.fromEntries(counts.map((each) => [each.state, each._count])) }
  }

  /** Leaves under the same Message-ID. One that left already is not sent twice: `conflict`. */
  function resend({ id, version, reason }: OpsAct, actor: Actor): Promise<void> {
    return act('resend_mail', reason, actor, async ({ tx, now }) => {
      if (!uuidPattern.test(id)) throw new Problem('not_found')
      const row = await tx.outboxMail.findUnique({ where: { id }, select: { state: true, template: true } })
      if (!row) throw new Problem('not_found')
      if (row.state === 'failed' && mail.hasLinks(row.template))
        throw changed('Its links were erased when it failed. Whoever needs it asks for a new one.')
      const { count } = await tx.outboxMail.updateMany({
        where: { id, attempts: version, OR: restingAt(now) },
        // Given up is given up by age: it counts anew from here.
        data: { state: 'waiting', nextAttemptAt: now, lastError: null, createdAt: now },
      })
      if (count === 0) throw changed('The mail has left, or is leaving.')
      await jobs.add(tx, 'send-mail', { id }, { jobKey: `mail:${id}`, maxAttempts: 10 })
      return { subject: { kind: 'mail', id }, detail: { template: row.template } }
    })
  }

  return { list, resend }
}

/** Failed, or waiting for a later attempt: one that is due leaves by itself. */
function restingAt(now: Date): Prisma.OutboxMailWhereInput[] {
  return [{ state: 'failed' }, { state: 'waiting', nextAttemptAt: { gt: now } }]
}

export function withoutAddresses(text: string | null): string | null {
  return text?.replace(/[^\s<>"',;:()]+@[^\s<>"',;:()]+/g, '(address)').slice(0, 300) ?? null
}
