import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/**
 * A real SMTP server that lays every mail it is handed into a folder, for other processes to read.
 * @returns its URL for SMTP_URL
 */
export async function startSmtpDrop(folder: string): Promise<{ url: string; close: () => Promise<void> }> {
  mkdirSync(folder, { recursive: true })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const name = `${Date.now()}-${randomUUID()}`
        writeFileSync(join(folder, `${name}.part`), Buffer.concat(chunks))
        // Under its name only when it is whole.
        renameSync(join(folder, `${name}.part`), join(folder, `${name}.eml`))
        done()
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the SMTP server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Every mail to an address that has arrived so far, oldest first. */
export async function mailTo(folder: string, address: string): Promise<ParsedMail[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(files.sort().map((name) => simpleParser(readFileSync(join(folder, name)))))
  return mails.filter(({ to }) =>
    [to ?? []].flat().some(({ value }) => value.some((each) => each.address === address)),
  )
}
