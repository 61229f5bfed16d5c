import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { startSmtpDrop } from '../support/smtp-drop.ts'
import { startTestServer } from '../support/test-server.ts'

/**
 * Runs `npm start` itself, on a data folder of its own, with a real SMTP server behind it. The journeys find
 * all of it through three variables, the way Playwright hands things to its workers.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-journeys-'))
  // As root, PostgreSQL runs under another account that must get in.
  chmodSync(folder, 0o755)
  const mailFolder = join(folder, 'mail')
  const smtp = await startSmtpDrop(mailFolder)
  const database = await ownDatabase(process.env.DATABASE_URL)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const cleanUp = async () => {
    await smtp.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const server = await startServer({
    entry: ['scripts/run.mjs', 'start'],
    environment: {
      ...database.environment,
      DATA_DIR: folder,
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: origin,
      SMTP_URL: smtp.url,
    },
    host: '127.0.0.1',
    port,
    logFile: join(folder, 'start.log'),
  }).catch(async (error) => {
    await cleanUp()
    throw error
  })
  Object.assign(process.env, {
    JOURNEY_ORIGIN: origin,
    JOURNEY_MAIL_FOLDER: mailFolder,
    JOURNEY_DATA_FOLDER: folder,
  })
  return async () => {
    await server.stop()
    await cleanUp()
  }
}

/** With DATABASE_URL a new database there; else `npm start` brings its own. */
async function ownDatabase(databaseUrl: string | undefined) {
  if (!databaseUrl) return { environment: {} as Record<string, string>, stop: async () => {} }
  const { server, stop, createDatabase } = await startTestServer(databaseUrl)
  const name = `${server.prefix}journeys`
  await createDatabase(name)
  const url = new URL(server.adminUrl)
  url.pathname = `/${name}`
  const key = randomBytes(32).toString('base64')
  return { environment: { DATABASE_URL: url.href, ENCRYPTION_KEYS: `k1:${key}`, DEMO: '1' }, stop }
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
