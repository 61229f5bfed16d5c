/** A real SMTP server that can be told to refuse, to fall silent or to be away (mail-receiver.ts is the obliging one). */
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type SmtpBehaviour =
  | 'accept'
  /** Takes the whole mail and cuts the line instead of answering. */
  | 'take and hang up'
  | { refuseWith: number; at: 'RCPT' | 'DATA' }

export type TestSmtp = {
  url: string
  received: Email[]
  behave(behaviour: SmtpBehaviour): void
  /** Resolves when so many mails have been received. */
  waitFor(count: number): Promise<void>
  stop(): Promise<void>
}

/** What arrived, as a mail program reads it. */
export const parseMail = async (stream: Readable) => PostalMime.parse(await buffer(stream))

export async function startSmtp(port = 0): Promise<TestSmtp> {
  const received: Email[] = []
  let behaviour: SmtpBehaviour = 'accept'
  let wake: () => void = () => {}

  const refusal = (at: 'RCPT' | 'DATA') => {
    if (typeof behaviour === 'string' || behaviour.at !== at) return null
    return Object.assign(new Error('refused by the test'), { responseCode: behaviour.refuseWith })
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, callback) => callback(refusal('RCPT')),
    onData(stream, session, callback) {
      parseMail(stream).then((mail) => {
        const refused = refusal('DATA')
        if (refused) return callback(refused)
        received.push(mail)
        wake()
        if (behaviour === 'take and hang up') hangUp(server, session.id)
        else callback(null)
      }, callback)
    },
  })
  server.on('error', () => {}) // a client that hangs up is no error of the test
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    behave(next) {
      behaviour = next
    },
    async waitFor(count) {
      while (received.length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Cuts the connection of a session without a word. */
function hangUp(server: SMTPServer, sessionId: string): void {
  const connections = (
    server as unknown as { connections: Set<{ id: string; _socket: { destroy(): void } }> }
  ).connections
  for (const connection of connections) if (connection.id === sessionId) connection._socket.destroy()
}
