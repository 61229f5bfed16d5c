/** Everything a journey needs, real: a database of its own, a mail server, the built server as its own process. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { runSeed } from '../../scripts/setup/database.mjs'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startProcesses } from '../../scripts/setup/processes.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { type MailReceiver, startMailReceiver } from './mail-receiver.ts'
import { createTestDatabase } from './test-databases.ts'
import type { TestServer } from './test-server.ts'
import { startTidepathSite } from './tidepath-site.ts'

export type Stack = {
  /** PUBLIC_ORIGIN; without a slash at its end. */
  origin: string
  /** Of 127.0.0.1, where the server listens. */
  port: number
  mails: MailReceiver
  /** Acts as the owner of the tables: to look at rows, and to let time pass by moving dates in them. */
  owner: pg.Pool
  /** The server's log from a given character on; all of it without one. */
  log: (from?: number) => string
  stop: () => Promise<void>
}

const HOST = '127.0.0.1'
/** Opens the pages for development, as the address does that `npm start` prints. */
export const developmentKey = 'journeys-open-the-development-pages'
/** Another process may take the port between its choice and its use. */
const TRIES = 3

/** Names an installation that runs already, as JSON of `JoinedStack`: journeys then go there. */
export const joinedStackVariable = 'SANDPIPER_JOINED_STACK'
export type JoinedStack = { origin: string; ownerUrl: string; mailPort: number; logFile: string }

/** Its mail catcher is stopped meanwhile: the journeys listen on its port. */
export async function joinStack({ origin, ownerUrl, mailPort, logFile }: JoinedStack): Promise<Stack> {
  const mails = await startMailReceiver(mailPort)
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  owner.on('error', () => {})
  return {
    origin,
    port: Number(new URL(origin).port),
    mails,
    owner,
    log: (from = 0) => readFileSync(logFile, 'utf8').slice(from),
    stop: async () => {
      await mails.close()
      await owner.end()
    },
  }
}

/** For a server behind a proxy: the address that people open, and what else its environment says. */
type StackOptions = {
  publicOrigin?: string
  environment?: Record<string, string>
  /** The APIs, the portal and the jobs as processes of their own. */
  apart?: boolean
  /** Begins as `npm start` begins: with demonstration sign-ins and a made-up month. */
  history?: boolean
}

/** @param folder keeps the server's log after the run */
export async function startStack(
  testServer: TestServer,
  folder: string,
  { publicOrigin, environment: more = {}, apart = false, history = false }: StackOptions = {},
): Promise<Stack> {
  mkdirSync(folder, { recursive: true })
  const logFile = join(folder, 'server.log')
  const { drop, ownerUrl, appUrl } = await createTestDatabase(testServer, 'cast')
  const mails = await startMailReceiver()
  const site = await startTidepathSite(folder)
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  owner.on('error', () => {})
  const environment = {
    NODE_ENV: 'production',
    SANDPIPER_EMBEDDED: '1',
    SANDPIPER_DEV_KEY: developmentKey,
    ROLE: 'all',
    DATABASE_URL: appUrl,
    DATABASE_POOL: '8',
    DATA_DIR: folder,
    SMTP_URL: mails.url,
    MAIL_FROM: 'Sandpiper <no-reply@sandpiper.example>',
    ENCRYPTION_KEYS: `journeys:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'info',
    // Whatever the shell has set is not this stack's.
    REDIS_URL: '',
    TRUSTED_PROXY_CIDRS: '',
    TRUSTED_PROXY_HOPS: '',
    // Hosts of this machine are allowed on an origin of this machine only.
    ...(publicOrigin ? {} : site.environment),
    ...more,
  }
  if (history) await runSeed(environment, ['--if-empty'])
  const { port, server } = await startOnFreePort({ environment, logFile, publicOrigin, apart })
  return {
    origin: publicOrigin ?? localOrigin(port),
    port,
    mails,
    owner,
    log: (from = 0) => readFileSync(logFile, 'utf8').slice(from),
    stop: async () => {
      await server.stop()
      await mails.close()
      await site.close()
      await owner.end()
      await drop()
    },
  }
}

const localOrigin = (port: number) => `http://localhost:${port}`

type ProcessOptions = {
  environment: Record<string, string>
  logFile: string
  publicOrigin: string | undefined
  apart: boolean
}

async function startOnFreePort({ environment, logFile, publicOrigin, apart }: ProcessOptions) {
  for (let tries = 1; ; tries++) {
    const port = await findFreePort()
    const options = {
      environment: { ...environment, PUBLIC_ORIGIN: publicOrigin ?? localOrigin(port) },
      host: HOST,
      port,
      logFile,
      log: (line: string) => appendFileSync(logFile, `${line}\n`),
    }
    try {
      return { port, server: await (apart ? startProcesses(options) : startServer(options)) }
    } catch (error) {
      if (tries === TRIES || !String(error).includes('is in use')) throw error
    }
  }
}
