/** Without a mail server: mail lands in the local mailbox (/dev/mail), so that a newcomer can click its links. */
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { DeliveryError, type MailTransport } from './transport.ts'

export function createMailboxTransport({
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
        skipDuplicates: true, // one mail a row, however often it is delivered
      })
    },
    close() {},
  }
}

/** Neither a mail server nor a mailbox: mails wait in the outbox, where ops see them, until there is a server. */
export const waitingTransport: MailTransport = { deliver: refuse, check: refuse, close() {} }

async function refuse(): Promise<never> {
  throw new DeliveryError('no mail server is configured (SMTP_URL)', { permanent: false })
}

/** Reading the local mailbox; newest first. */
export function createMailbox({ prisma }: { prisma: PrismaClient }) {
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
      const found = await prisma.mailboxMessage.findUnique({
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
      return found && { ...found, headers: found.headers as Record<string, string> }
    },
  }
}
