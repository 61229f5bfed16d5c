/**
 * Receives email to the keys address by SMTP (RFC 5321) and passes on its text. HTML and attachments are ignored, and
 * nothing is fetched. It is off unless a port is configured. A mail server in front of it checks the senders.
 */
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { runApart } from '../apart.ts'
import { emailBounds, emailBytesMax } from '../contract/http/parsers.ts'
import type { ReadMail } from './read-mail.ts'

type InboundMail = ReadMail & { messageId: string }

type InboundOptions = {
  host: string
  port: number
  /** The only accepted recipient. */
  address: string
  log: Logger
  onMail(mail: InboundMail): Promise<string>
}

export type InboundListener = { port: number; close(): Promise<void> }

const clientsMax = 20
const socketMs = 30_000

/** @throws Error if the port is in use */
export async function listenForMail(options: InboundOptions): Promise<InboundListener> {
  const { host, address, log, onMail } = options
  const server = new SMTPServer({
    banner: 'Sandpiper',
    size: emailBytesMax,
    maxClients: clientsMax,
    socketTimeout: socketMs,
    closeTimeout: 1_000,
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onMailFrom: ({ address: from }, _session, done) =>
      // An empty sender is a bounce; a reply to it could start a loop.
      from === '' ? done(refusal(550, 'No bounces here')) : done(),
    onRcptTo: ({ address: to }, session, done) => {
      if (to.toLowerCase() !== address.toLowerCase()) return done(refusal(550, 'No such recipient'))
      if (session.envelope.rcptTo.length > 0) return done(refusal(452, 'One recipient'))
      done()
    },
    onData: (stream, session, done) => {
      take(stream, session).then(
        () => done(),
        (error: unknown) => done(error instanceof SmtpRefusal ? error : refusal(451, 'Try again later')),
      )
    },
  })
  server.on('error', (error) => log.warn({ err: error }, 'an inbound mail connection failed'))

  /** Emails are parsed one at a time. */
  let reading: Promise<unknown> = Promise.resolve()

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const bytes = await readBounded(stream)
    const read = reading.then(() => readApart(bytes))
    reading = read.catch(() => null)
    const result = await read
    if (result === null) throw refusal(554, 'The email can’t be read')
    const { mail } = result
    if (mail === null) {
      log.info({}, 'an inbound mail was not for people to answer')
      return
    }
    // An email without a Message-ID is identified by its connection.
    const messageId = mail.messageId ?? `<${session.id}@inbound>`
    log.info({ outcome: await onMail({ ...mail, messageId }) }, 'an inbound mail was taken')
  }

  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(options.port, host, () => {
      server.server.removeListener('error', reject)
      resolve()
    })
  })
  const { port } = server.server.address() as AddressInfo
  return { port, close: () => new Promise((resolve) => server.close(resolve)) }
}

const readApart = (bytes: Uint8Array) =>
  runApart<{ mail: ReadMail | null }>('server/mail/read-mail-apart.ts', bytes, emailBounds)

class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message)
  }
}

const refusal = (code: number, message: string) => new SmtpRefusal(code, message)

/** Reads an oversized email to its end, so that the sender gets a response instead of a closed connection. */
async function readBounded(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= emailBytesMax) chunks.push(chunk)
  }
  if (size > emailBytesMax || stream.sizeExceeded) throw refusal(552, 'The email is larger than 256 kB')
  return Buffer.concat(chunks)
}
