/**
 * Emails to send, written in the transaction of the change that they report. A row goes
 * waiting → sending → sent, or back to waiting with a later attempt, or to failed.
 *
 * Sending is fenced: one UPDATE claims the row and raises `attempts`, and only the worker with that number may record
 * the result. The row of a worker that died is taken over once its lease has expired and the worker's advisory lock is
 * free. So an email is sent twice only if the mail server's response was lost, or the process was killed before it
 * recorded that response. Both copies have the same Message-ID.
 */
import { randomUUID } from 'node:crypto'
import type { MailLink, MailName, MailProps } from '../../emails/registry.ts'
import { registry } from '../../emails/registry.ts'
import type { OutboxMail, Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import { isSandboxAddress } from '../contract/lab/sandbox-sign-ins.ts'
import type { Keyring } from '../keyring.ts'
import type { JobQueue } from './job-queue.ts'

export type EnqueuedMail<Name extends MailName = MailName> = {
  template: Name
  to: string
  props: MailProps<Name>
  /** The id of the email's subject; emails with the same thread id form a thread. */
  threadId?: string
  correlationId?: string
  /** Set by jobs that may run twice: a second email with the same id is not written. */
  id?: string
} & ([MailLink<Name>] extends [never]
  ? { links?: undefined }
  : {
      /** Single-use links by name, as made by contract/portal/paths.ts; sealed until delivery. */
      links: Record<MailLink<Name>, string>
    })

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  keyring: Keyring
  jobs: JobQueue
  /** PUBLIC_ORIGIN; its host is the right-hand side of Message-IDs. */
  origin: string
}

/** A lease must be longer than a delivery can take (smtp-transport.ts). */
const leaseSeconds = 45
/** Attempts continue for two days, so that emails survive a weekend's maintenance of the mail server. */
const retrySeconds = [5, 15, 45, 120, 300, 600] as const
const giveUpAfterHours = 48
/** Rows per DELETE, so that no statement takes long. */
const rowsAtOnce = 2_000

export function createOutbox({ prisma, clock, keyring, jobs, origin }: Dependencies) {
  const host = new URL(origin).hostname

  /**
   * Writes an email and its job in the caller's transaction.
   * @throws ZodError when the props do not fit the template
   */
  async function enqueue<Name extends MailName>(tx: Prisma.TransactionClient, mail: EnqueuedMail<Name>) {
    const { template, to, threadId, correlationId, id = randomUUID() } = mail
    registry[template].props.parse(mail.props)
    if (isSandboxAddress(to)) return // no one reads its mailbox
    const now = clock()
    const written = await tx.outboxMail.createMany({
      data: [
        {
          id,
          template,
          toAddress: to,
          props: mail.props as Prisma.InputJsonObject,
          sealedLinks: mail.links
            ? keyring.seal(Buffer.from(JSON.stringify(mail.links)), sealContext(id))
            : null,
          messageId: `<${id}@${host}>`,
          threadId,
          correlationId,
          createdAt: now,
          nextAttemptAt: now,
        },
      ],
      skipDuplicates: true,
    })
    if (written.count === 1) await addJob(tx, id, 0)
  }

  async function addJob(tx: Prisma.TransactionClient, id: string, delaySeconds: number): Promise<void> {
    await jobs.add(tx, 'send-mail', { id }, { jobKey: `mail:${id}`, delaySeconds, maxAttempts: 10 })
  }

  /** Claims the row for this worker. @returns null if the email was sent, or another worker has it */
  async function claim(id: string, workerId: string): Promise<OutboxMail | null> {
    const now = clock()
    const leaseEnd = new Date(now.getTime() - leaseSeconds * 1_000)
    return prisma.$transaction(async (tx) => {
      const [taken] = await tx.$queryRaw<{ id: string }[]>`
        UPDATE portal.outbox_mail
           SET state = 'sending', attempts = attempts + 1, sending_at = ${now}, sending_by = ${workerId}
         WHERE id = ${id}::uuid
           AND (state = 'waiting'
                OR (state = 'sending' AND sending_at <= ${leaseEnd}
                    AND (sending_by = ${workerId}
                         OR pg_try_advisory_xact_lock(hashtextextended('sandpiper worker ' || sending_by, 0)))))
         RETURNING id`
      return taken ? tx.outboxMail.findUnique({ where: { id } }) : null
    })
  }

  /** The links of a claimed email as absolute URLs. */
  function openLinks(mail: OutboxMail): Record<string, string> {
    if (!mail.sealedLinks) return {}
    const opened = Buffer.from(keyring.open(mail.sealedLinks, sealContext(mail.id))).toString('utf8')
    const links = JSON.parse(opened) as Record<string, string>
    return Object.fromEntries(Object.entries(links).map(([name, path]) => [name, origin + path]))
  }

  /** The References header: a Message-ID that no email has and all emails of the thread share. */
  function references({ threadId }: OutboxMail): string[] {
    return threadId ? [`<thread.${threadId}@${host}>`] : []
  }

  const claimed = ({ id, attempts }: OutboxMail) => ({ id, attempts, state: 'sending' })

  /** Records the delivery and erases the links. @returns false if another worker took the row over */
  async function markSent(mail: OutboxMail): Promise<boolean> {
    const { count } = await prisma.outboxMail.updateMany({
      where: claimed(mail),
      data: { state: 'sent', sentAt: clock(), sealedLinks: null, lastError: null },
    })
    return count === 1
  }

  /** Records that sending cannot succeed. The links stay sealed, so that an operator can send the email again. */
  async function markFailed(mail: OutboxMail, reason: string): Promise<void> {
    await prisma.outboxMail.updateMany({
      where: claimed(mail),
      data: { state: 'failed', lastError: reason },
    })
  }

  /** Puts the email back for a later attempt, or gives it up after two days. */
  async function putBack(mail: OutboxMail, reason: string): Promise<void> {
    const now = clock()
    if (now.getTime() - mail.createdAt.getTime() > giveUpAfterHours * 3_600_000) {
      await markFailed(mail, `given up after ${giveUpAfterHours} hours: ${reason}`)
      return
    }
    const delaySeconds = retrySeconds[Math.min(mail.attempts, retrySeconds.length) - 1] ?? retrySeconds[0]
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.outboxMail.updateMany({
        where: claimed(mail),
        data: {
          state: 'waiting',
          lastError: reason,
          nextAttemptAt: new Date(now.getTime() + delaySeconds * 1_000),
        },
      })
      if (count === 1) await addJob(tx, mail.id, delaySeconds)
    })
  }

  /** For an email that could not be claimed. @returns seconds until its lease ends, or null if no one is sending it */
  async function findWait(id: string): Promise<number | null> {
    const mail = await prisma.outboxMail.findUnique({
      where: { id },
      select: { state: true, sendingAt: true },
    })
    if (mail?.state !== 'sending' || !mail.sendingAt) return null
    const leaseEnds = mail.sendingAt.getTime() + leaseSeconds * 1_000
    return Math.max(1, (leaseEnds - clock().getTime()) / 1_000)
  }

  /** Adds a job for an email that may still have to be sent. */
  async function lookAgain(id: string, delaySeconds: number): Promise<void> {
    await prisma.$transaction((tx) => addJob(tx, id, delaySeconds))
  }

  /**
   * Runs on a schedule: adds a job for each overdue email, in case its job was lost. The outbox decides whether an
   * email must be sent, not the job table.
   */
  async function sweep(now: Date): Promise<number> {
    const overdue = new Date(now.getTime() - 30_000)
    const leaseEnd = new Date(now.getTime() - leaseSeconds * 1_000)
    const due = await prisma.outboxMail.findMany({
      where: {
        OR: [
          { state: 'waiting', nextAttemptAt: { lte: overdue } },
          { state: 'sending', sendingAt: { lte: leaseEnd } },
        ],
      },
      select: { id: true },
      orderBy: { createdAt: 'asc' },
      take: 500,
    })
    for (const { id } of due) await lookAgain(id, 0)
    return due.length
  }

  /** For operations: when the oldest waiting email was written. */
  async function oldestWaitingAt(): Promise<Date | null> {
    const oldest = await prisma.outboxMail.findFirst({
      where: { state: { in: ['waiting', 'sending'] } },
      orderBy: { createdAt: 'asc' },
      select: { createdAt: true },
    })
    return oldest?.createdAt ?? null
  }

  /** Runs on a schedule: deletes sent and failed emails, and the mailbox's copies, from before then. */
  async function deleteOld(before: Date): Promise<number> {
    const where = { state: { in: ['sent', 'failed'] }, createdAt: { lt: before } }
    let gone = 0
    for (let count = rowsAtOnce; count === rowsAtOnce; gone += count)
      count = (await prisma.outboxMail.deleteMany({ where, limit: rowsAtOnce })).count
    await prisma.mailboxMessage.deleteMany({ where: { at: { lt: before } } })
    return gone
  }

  return {
    enqueue,
    claim,
    openLinks,
    references,
    markSent,
    markFailed,
    putBack,
    findWait,
    lookAgain,
    sweep,
    oldestWaitingAt,
    deleteOld,
  }
}

const sealContext = (id: string) => `outbox mail ${id}`
