/** The server's own services on a test database, with a clock that tests move. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Deprecations } from '../../server/contract/http/deprecations.ts'
import { parseEnv } from '../../server/env.ts'
import type { LoadGauge } from '../../server/limits/load-shedding.ts'
import type { MailTransport } from '../../server/mail/smtp-transport.ts'
import type { Outbound } from '../../server/outbound/outbound.ts'
import { createServices, type Services } from '../../server/services.ts'
import { type Template, type TestDatabase, testDatabase } from './database.ts'
import { closeAtEndOfFile } from './to-close.ts'

export type TestServices = Services & {
  database: TestDatabase
  /** Sets the clock on by so many milliseconds. */
  advance: (milliseconds: number) => void
}

/** A Friday noon in Washington. */
const testNow = '2026-11-20T17:00:00.000Z'

export type TestServicesOptions = {
  template?: Template
  environment?: Record<string, string>
  mailTransport?: MailTransport
  /** What other hosts answer. */
  outbound?: Outbound
  /** What ends; left out: what the contract says. */
  deprecations?: Deprecations
  /** How the server reaches itself. */
  send?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds a caller waits for a connection; left out: long enough for a machine that is busy. */
  waitMs?: number
  /** In place of the time that a fault lets pass. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** How busy the process says it is; left out, never. */
  loadGauge?: LoadGauge
  /** Left out: large enough that an export has one file of each type. */
  exportFileBytesMax?: number
  /** Log lines, for tests that search them. */
  logLines?: string[]
}

export async function testServices(options: TestServicesOptions = {}): Promise<TestServices> {
  const database = await testDatabase(options.template ?? 'cast')
  // The default is .data of this checkout: the folder of the installation that runs, or ran, here.
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-data-'))
  let now = new Date(testNow)
  const env = parseEnv({
    NODE_ENV: 'test',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: 'https://portal.example',
    MAIL_FROM: 'no-reply@portal.example',
    // Nobody answers there: tests that let mail leave give a transport.
    SMTP_URL: 'smtp://127.0.0.1:9',
    DATABASE_URL: database.appUrl,
    DATABASE_POOL: '8',
    DATA_DIR: folder,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    ...options.environment,
  })
  const { logLines } = options
  const log = logLines
    ? pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) })
    : pino({ level: 'silent' })
  const services = createServices({
    env,
    log,
    appUrl: database.appUrl,
    clock: () => now,
    waitMs: options.waitMs ?? 15_000,
    mailTransport: options.mailTransport,
    ...(options.deprecations ? { deprecations: options.deprecations } : {}),
    ...(options.outbound ? { outbound: options.outbound } : {}),
    ...(options.send ? { send: options.send } : {}),
    ...(options.loadGauge ? { loadGauge: options.loadGauge } : {}),
    ...(options.exportFileBytesMax ? { exportFileBytesMax: options.exportFileBytesMax } : {}),
    ...(options.pause ? { pause: options.pause } : {}),
  })
  closeAtEndOfFile(async () => {
    await services.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    ...services,
    database,
    advance: (milliseconds) => {
      now = new Date(now.getTime() + milliseconds)
    },
  }
}
