/** A real SMTP server for one test worker: parses what arrives and tells those who wait for it. */
import type { AddressInfo } from 'node:net'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { parseMail } from './smtp.ts'

export type ReceivedMail = {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  /** Header lines as they arrived. */
  headers: string
  /** Links of the plain-text part, in its order. */
  links: string[]
}

export type MailPattern = { to: string; subject?: string | RegExp }

export type MailReceiver = {
  /** For SMTP_URL. */
  url: string
  /** Everything that arrived since the start, or since `forget`. */
  all: () => readonly ReceivedMail[]
  find: (pattern: MailPattern) => ReceivedMail[]
  /** The earliest mail of the pattern that nobody has waited for yet; resolves the moment it arrives. */
  waitFor: (pattern: MailPattern, options?: { timeoutMs?: number }) => Promise<ReceivedMail>
  /** Refuses connections from now on, as a mail server that is down does. */
  goDown: () => Promise<void>
  /** Listens again, on the same port. */
  comeBack: () => Promise<void>
  close: () => Promise<void>
}

const WAIT_MS = 30_000
const CLOSE_MS = 1_000

/** @param onPort of 127.0.0.1; a free one unless told */
export async function startMailReceiver(onPort = 0): Promise<MailReceiver> {
  const received: ReceivedMail[] = []
  const taken = new Set<ReceivedMail>()
  const waiting = new Set<() => void>()
  let server = await listen(onPort)
  const { port } = server.server.address() as AddressInfo

  function listen(onPort: number): Promise<SMTPServer> {
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      closeTimeout: CLOSE_MS,
      onData(stream, _session, done) {
        parseMail(stream).then(
          (mail) => {
            received.push(toReceived(mail))
            done()
            for (const look of waiting) look()
          },
          (error: Error) => done(error),
        )
      },
    })
    return new Promise((resolve, reject) => {
      smtp.once('error', reject)
      smtp.listen(onPort, '127.0.0.1', () => {
        // Later errors are of single connections: a client that hangs up is no test's failure.
        smtp.removeListener('error', reject)
        smtp.on('error', () => {})
        resolve(smtp)
      })
    })
  }

  const stop = () => new Promise<void>((resolve) => server.close(resolve))
  const find = (pattern: MailPattern) => received.filter((mail) => matches(mail, pattern))

  function waitFor(pattern: MailPattern, { timeoutMs = WAIT_MS } = {}): Promise<ReceivedMail> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look)
        const others = received.map(({ to, subject }) => `${to}: ${subject}`).join('\n  ')
        const wanted = `${pattern.to}${pattern.subject ? `: ${pattern.subject}` : ''}`
        reject(new Error(`No mail “${wanted}” within ${timeoutMs} ms. Arrived:\n  ${others || 'nothing'}`))
      }, timeoutMs)
      const look = () => {
        const mail = find(pattern).find((each) => !taken.has(each))
        if (!mail) return
        taken.add(mail)
        waiting.delete(look)
        clearTimeout(timer)
        resolve(mail)
      }
      waiting.add(look)
      look()
    })
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    all: () => received,
    find,
    waitFor,
    goDown: stop,
    comeBack: async () => {
      server = await listen(port)
    },
    close: stop,
  }
}

function matches({ to, subject }: ReceivedMail, pattern: MailPattern): boolean {
  if (to !== pattern.to) return false
  if (pattern.subject === undefined) return true
  return typeof pattern.subject === 'string' ? subject === pattern.subject : pattern.subject.test(subject)
}

function toReceived(mail: Email): ReceivedMail {
  const recipients = (mail.to ?? []).map(({ address }) => address ?? '')
  const text = mail.text ?? ''
  return {
    to: recipients.join(', '),
    subject: mail.subject ?? '',
    text,
    html: mail.html ?? '',
    messageId: mail.messageId ?? '',
    headers: mail.headerLines.map(({ line }) => line).join('\n'),
    links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [],
  }
}
