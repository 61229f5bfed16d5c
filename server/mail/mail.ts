/** Email is stored in the outbox, in the transaction of the change that it reports, and a job delivers it. */
import type { Logger } from 'pino'
import { isMailName, registry } from '../../emails/registry.ts'
import { renderMail } from '../../emails/render.tsx'
import type { OutboxMail, PrismaClient } from '../../prisma/generated/client/client.ts'
import { findSecret } from '../contract/text/secret-patterns.ts'
import type { Env } from '../env.ts'
import { type Keyring, SealError } from '../keyring.ts'
import type { JobQueue } from './job-queue.ts'
import { createOutbox } from './outbox.ts'
import {
  createSmtpTransport,
  DeliveryError,
  type MailTransport,
  type OutgoingMail,
} from './smtp-transport.ts'

type MailDependencies = {
  prisma: PrismaClient
  clock: () => Date
  keyring: Keyring
  jobs: JobQueue
  log: Logger
  env: Pick<Env, 'PUBLIC_ORIGIN' | 'SMTP_URL' | 'MAIL_FROM' | 'BUSINESS_TZ' | 'demoSignIns'>
  /** Replaces the transport of SMTP_URL. */
  transport?: MailTransport
}

/** `gone`: there was nothing left to send. */
type DeliveryOutcome = 'sent' | 'put_back' | 'failed' | 'taken_over' | 'busy' | 'gone'

export function createMail(dependencies: MailDependencies) {
  const { env, log, clock, prisma, keyring, jobs } = dependencies
  const outbox = createOutbox({ prisma, clock, keyring, jobs, origin: env.PUBLIC_ORIGIN })
  const hasMailbox = !env.SMTP_URL && env.demoSignIns
  const transport = dependencies.transport ?? chooseTransport()

  function chooseTransport(): MailTransport {
    if (env.SMTP_URL) return createSmtpTransport(env.SMTP_URL)
    return hasMailbox ? createMailboxTransport({ prisma, clock }) : waitingTransport
  }

  /**
   * Sends one email of the outbox. Safe to call for any row at any time, by any number of workers.
   * @param options.workerId the worker whose advisory lock shows that this sender is alive
   */
  async function deliver(id: string, { workerId }: { workerId: string }): Promise<DeliveryOutcome> {
    const mail = await outbox.claim(id, workerId)
    if (!mail) {
      const waitSeconds = await outbox.findWait(id)
      if (waitSeconds === null) return 'gone'
      await outbox.lookAgain(id, waitSeconds)
      return 'busy'
    }
    const rendered = await render(mail).catch((error: unknown) => error as Error)
    // A missing key of the keyring can be added, so the email is tried again.
    if (rendered instanceof SealError) return afterRefusal(mail, rendered)
    if (rendered instanceof Error) {
      log.error(
        { mailId: id, template: mail.template, err: rendered },
        'a mail cannot be made and stays failed',
      )
      await outbox.markFailed(mail, `cannot be made: ${rendered.name}: ${reasonOf(rendered)}`)
      return 'failed'
    }
    try {
      await transport.deliver(rendered)
    } catch (error) {
      return afterRefusal(mail, error)
    }
    const noted = await recordSent(mail)
    log.info(
      { mailId: id, template: mail.template, attempt: mail.attempts, correlationId: mail.correlationId },
      'mail sent',
    )
    return noted ? 'sent' : 'taken_over'
  }

  async function afterRefusal(mail: OutboxMail, error: unknown): Promise<DeliveryOutcome> {
    const permanent = error instanceof DeliveryError && error.permanent
    const reason =
      error instanceof DeliveryError || error instanceof SealError
        ? error.message
        : `${(error as Error).name}`
    log.warn(
      { mailId: mail.id, template: mail.template, attempt: mail.attempts, reason, permanent },
      'mail not sent',
    )
    if (permanent) await outbox.markFailed(mail, reason)
    else await outbox.putBack(mail, reason)
    return permanent ? 'failed' : 'put_back'
  }

  /** The email was sent, so recording that is retried while the database does not respond. */
  async function recordSent(mail: OutboxMail): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await outbox.markSent(mail)
      } catch (error) {
        if (attempt === 10) throw error
        await new Promise((resolve) => setTimeout(resolve, attempt * 50))
      }
    }
  }

  async function render(mail: OutboxMail): Promise<OutgoingMail> {
    if (!isMailName(mail.template)) throw new Error(`there is no mail ${mail.template}`)
    const links = outbox.openLinks(mail)
    const { subject, html, text } = await renderMail(mail.template, {
      props: mail.props,
      links,
      origin: env.PUBLIC_ORIGIN,
      zone: env.BUSINESS_TZ,
      reference: mail.correlationId ?? mail.id,
    })
    const references = outbox.references(mail)
    checkNoSecret([subject, html, text, mail.toAddress, mail.messageId, ...references])
    return {
      outboxId: mail.id,
      template: mail.template,
      from: env.MAIL_FROM,
      to: mail.toAddress,
      subject,
      html,
      text,
      messageId: mail.messageId,
      references,
      // Mail services open this URL themselves, and some drop the fragment, so the token is in the query.
      ...(links.manageUrl !== undefined && { unsubscribeUrl: links.manageUrl.replace('#token=', '?token=') }),
    }
  }

  return {
    enqueue: outbox.enqueue,
    openLinks: outbox.openLinks,
    deliver,
    sweep: outbox.sweep,
    oldestWaitingAt: outbox.oldestWaitingAt,
    deleteOld: outbox.deleteOld,
    /** Whether a template's emails have single-use links, which are erased once they are sent. */
    hasLinks: (template: string) => isMailName(template) && registry[template].links.length > 0,
    /** Resolves if an email could be delivered now, else rejects. */
    check: async () => void (await transport.check?.()),
    /** The emails that would have been sent, for /dev/mail; only without a mail server. */
    mailbox: hasMailbox ? createMailbox({ prisma }) : undefined,
    close: () => transport.close(),
  }
}

/** Other errors' messages may contain personal data, so only our own is stored. */
const reasonOf = (error: Error): string =>
  error.name === 'SecretInMailError' ? error.message : 'see the log'

export type Mail = ReturnType<typeof createMail>

/** Without a mail server, emails go to the local mailbox (/dev/mail), so that a newcomer can click their links. */
function createMailboxTransport({
  prisma,
  clock,
}: {
  prisma: PrismaClient
  clock: () => Date
}): MailTransport {
  return {
    async deliver(mail) {
      const { outboxId, template, from, to, subject, html, text, messageId, references } = mail
      const headers = { 'Message-ID': messageId, References: references.join(' ') }
      await prisma.mailboxMessage.createMany({
        data: [{ outboxId, template, from, to, subject, html, text, headers, at: clock() }],
        skipDuplicates: true, // one message for each outbox row, however often it is delivered
      })
    },
    close() {},
  }
}

/** Without a mail server and a mailbox, emails wait in the outbox, where operators see them. */
const waitingTransport: MailTransport = { deliver: refuse, check: refuse, close() {} }

async function refuse(): Promise<never> {
  throw new DeliveryError('no mail server is configured (SMTP_URL)', { permanent: false })
}

/** Reads the local mailbox, the newest first. */
function createMailbox({ prisma }: { prisma: PrismaClient }) {
  return {
    list({ limit }: { limit: number }) {
      return prisma.mailboxMessage.findMany({
        select: { id: true, to: true, subject: true, at: true, template: true },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: limit,
      })
    },

    async get(id: string) {
      if (!/^[0-9a-f-]{36}$/i.test(id)) return null
      const message = await prisma.mailboxMessage.findUnique({
        where: { id },
        select: {
          id: true,
          to: true,
          from: true,
          subject: true,
          html: true,
          text: true,
          at: true,
          headers: true,
        },
      })
      return message && { ...message, headers: message.headers as Record<string, string> }
    },
  }
}

// The last check of an email before it is sent: it must not contain an API key, a signed token or a private key. That
// would be a bug of ours, so it is an error, not a refusal.

class SecretInMailError extends Error {
  override name = 'SecretInMailError'
}

/**
 * @param parts everything that would be sent: subject, HTML, text, headers
 * @throws SecretInMailError naming the kind of secret, never quoting it
 */
export function checkNoSecret(parts: readonly string[]): void {
  for (const part of parts) {
    const what = findSecret(part)
    if (what !== null) throw new SecretInMailError(`the mail holds ${what}`)
  }
}
