import { createTransport } from 'nodemailer'
import { withSpan } from '../tracing/spans.ts'

/** What a way of delivering mail gives and takes. */

export type OutgoingMail = {
  /** The outbox row: a transport that keeps mails keeps one per row. */
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
  /** Resolves when a mail could be handed over now; left out for transports without a server. */
  check?(): Promise<unknown>
  close(): void
}

/** A mail that was not delivered. `permanent` means: trying again cannot help. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly permanent: boolean
  constructor(message: string, { permanent, cause }: { permanent: boolean; cause?: unknown }) {
    super(message, { cause })
    this.permanent = permanent
  }
}

// Mail through a real server, by nodemailer. One connection a mail: a dead connection cannot hold up the next.

/** Shorter together than the lease of a mail being sent (outbox.ts). */
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
 * A 5xx answer to the recipient or the message is final (RFC 5321 §4.2.1). Everything else may pass: no
 * connection, no answer, 4xx, and refused credentials, which a person will put right.
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
