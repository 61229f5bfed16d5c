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
  /** Where its reader ends mails of this kind, for those who asked for them. */
  unsubscribeUrl?: string
}

export type MailTransport = {
  /** @throws {@link DeliveryError} */
  deliver(mail: OutgoingMail): Promise<void>
  /** Resolves when a mail could be handed over now; left out where there is nobody to ask. */
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
