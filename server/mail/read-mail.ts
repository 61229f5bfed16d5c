/** The text and a few headers of an email. */
import PostalMime, { addressParser, type Email } from 'postal-mime'
import { emailAddress } from '../contract/text/email-address.ts'

export type ReadMail = { from: string; messageId: string | null; subject: string; text: string }

/** Must run in a separate process, because crafted headers can take seconds. */
export const readMail = async (bytes: Uint8Array): Promise<ReadMail | null> =>
  toReadMail(await PostalMime.parse(bytes))

/** Null for an automatic email, because a reply could start a loop (RFC 3834). */
function toReadMail(mail: Email): ReadMail | null {
  const valuesOf = (name: string) =>
    mail.headers.filter(({ key }) => key === name).map(({ value }) => value.trim())
  const isAutomatic = valuesOf('auto-submitted').some((value) => !/^no\b/i.test(value))
  const isBulk =
    valuesOf('precedence').some((value) => /^(?:bulk|list|junk)$/i.test(value)) ||
    mail.headers.some(({ key }) => key.startsWith('list-'))
  const senders = valuesOf('from').flatMap((value) => addressParser(value, { flatten: true }))
  const from = emailAddress.safeParse(senders[0]?.address ?? '')
  if (isAutomatic || isBulk || senders.length !== 1 || !from.success) return null
  return {
    from: from.data,
    messageId: mail.messageId ?? null,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
  }
}
