import { createTransport } from 'nodemailer'
import { withSpan } from '../tracing/spans.ts'

/** The interface of email transports, and the SMTP transport. */

export type OutgoingMail = {
  /** The id of the outbox row. A transport that stores emails stores one for each row. */
  outboxId: string
  template: string
  from: string
  to: string
  subject: string
  html: string
  text: string
  /** With angle brackets. */
  messageId: string
  /** Message-IDs of the thread, for In-Reply-To and References; empty outside a thread. */
  references: readonly string[]
  /** The unsubscribe address of a subscription email. */
  unsubscribeUrl?: string
}

export type MailTransport = {
  /** @throws {@link DeliveryError} */
  deliver(mail: OutgoingMail): Promise<void>
  /** Resolves if an email could be delivered now; left out for transports without a server. */
  check?(): Promise<unknown>
  close(): void
}

/** An email was not delivered. `permanent`: another attempt would fail too. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly permanent: boolean
  constructor(message: string, { permanent, cause }: { permanent: boolean; cause?: unknown }) {
    super(message, { cause })
    this.permanent = permanent
  }
}

// SMTP by nodemailer. Each email has its own connection, so a dead one cannot delay the next email.

/** In total shorter than the lease of an email that is being sent (outbox.ts). */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
}
const DELIVERY_MS_MAX = 40_000

/** @param url smtp:// or smtps://, with credentials where the server asks for them */
export function createSmtpTransport(url: string): MailTransport {
  const transporter = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })

  async function deliver(mail: OutgoingMail): Promise<void> {
    try {
      await withSpan(`SMTP ${mail.template}`, { kind: 'CLIENT' }, () =>
        transporter.sendMail({ ...toMessage(mail), signal: AbortSignal.timeout(DELIVERY_MS_MAX) }),
      )
    } catch (error) {
      throw toDeliveryError(error)
    }
  }

  return { deliver, check: () => transporter.verify(), close: () => transporter.close() }
}

/** `List-Unsubscribe`: https://www.rfc-editor.org/rfc/rfc2369#section-3.2 */
function toMessage(mail: OutgoingMail) {
  const { from, to, subject, html, text, messageId, references, template, unsubscribeUrl } = mail
  return {
    from,
    to: { name: '', address: to }, // an address is never parsed as a list
    subject,
    html,
    text,
    messageId,
    ...(references.length > 0 ? { inReplyTo: references.at(-1), references: [...references] } : {}),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Sandpiper-Mail': template,
      ...(unsubscribeUrl !== undefined && { 'List-Unsubscribe': `<${unsubscribeUrl}>` }),
    },
  }
}

/**
 * A 5xx response to the recipient or the message is permanent (RFC 5321 §4.2.1). Other failures are temporary: no
 * connection, no response, 4xx, and refused credentials, which a person will correct.
 */
function toDeliveryError(error: unknown): DeliveryError {
  const {
    responseCode = 0,
    command = '',
    code = '',
  } = error as { responseCode?: number; command?: string; code?: string }
  const permanent = responseCode >= 500 && responseCode < 600 && /^(MAIL|RCPT|DATA)/.test(command)
  const what = [code, responseCode || '', command].filter(Boolean).join(' ') || 'no answer'
  return new DeliveryError(`the mail server refused or did not answer (${what})`, { permanent, cause: error })
}
