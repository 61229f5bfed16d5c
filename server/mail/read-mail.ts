/** What an email says, as its text and a few headers do. */
import { type ParsedMail, simpleParser } from 'mailparser'
import { emailAddress } from '../contract/text/email-address.ts'

export type ReadMail = { from: string; messageId: string | null; subject: string; text: string }

/** In a thread: headers can be made to take seconds. */
export async function readMail(bytes: Uint8Array): Promise<ReadMail | null> {
  const mail = await simpleParser(Buffer.from(bytes), {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    maxHtmlLengthToParse: 1,
  })
  return toReadMail(mail)
}

/** Null for what a machine sent: an answer to it would begin a circle (RFC 3834). */
function toReadMail(mail: ParsedMail): ReadMail | null {
  const header = (name: string) => String(mail.headers.get(name) ?? '').toLowerCase()
  const automatic = header('auto-submitted') !== '' && header('auto-submitted') !== 'no'
  const bulk = ['bulk', 'list', 'junk'].includes(header('precedence')) || mail.headers.has('list')
  const senders = mail.from?.value ?? []
  const from = emailAddress.safeParse(senders[0]?.address ?? '')
  if (automatic || bulk || senders.length !== 1 || !from.success) return null
  return {
    from: from.data,
    messageId: mail.messageId ?? null,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
  }
}
