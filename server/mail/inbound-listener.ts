/**
 * Takes mail to the keys address by SMTP (RFC 5321) and hands on what its text says. Nothing else is read: no HTML is
 * rendered, no attachment kept, nothing is fetched. Off unless a port is configured; a mail server in front checks who
 * may send at all.
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
  /** The only recipient that is taken. */
  address: string
  log: Logger
  onMail(mail: InboundMail): Promise<string>
}

export type InboundListener = { port: number; close(): Promise<void> }

const clientsMax = 20
const socketMs = 30_000

/** @throws when the port is taken */
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
      // An empty sender is a bounce: answering it would begin a circle.
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

  /** One at a time. */
  let reading: Promise<unknown> = Promise.resolve()

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const bytes = await readBounded(stream)
    const read = reading.then(() => readApart(bytes))
    reading = read.catch(() => null)
    const result = await read
    if (result === null) throw refusal(554, 'The email can’t be read')
    const found = result.mail
    if (found === null) {
      log.info({}, 'an inbound mail was not for people to answer')
      return
    }
    // An email without an id of its own is known by its connection.
    const messageId = found.messageId ?? `<${session.id}@inbound>`
    log.info({ outcome: await onMail({ ...found, messageId }) }, 'an inbound mail was taken')
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

/** Reads to the end also what is too large: the sender is told, not cut off. */
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
