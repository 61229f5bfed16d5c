/** PgBouncer as docs/operations/postgresql.md sets it up, in front of a PostgreSQL of the tests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount, spawnIds } from '../../scripts/postgres/account.mjs'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { APP_ROLE } from '../../server/store/roles.ts'

const testPassword = 'of-this-test'
const firstThatWorks = '1.21'

type Version = 'new' | 'old'

const wanted = {
  new: {
    places: [process.env.PGBOUNCER ?? '', 'pgbouncer', '/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer'],
    fits: (version: string) => isAtLeast(version, firstThatWorks),
    advice: `PgBouncer ${firstThatWorks} or newer (apt.postgresql.org, or its sources); PGBOUNCER names the program`,
  },
  old: {
    places: ['/usr/sbin/pgbouncer', 'pgbouncer'],
    fits: (version: string) => !isAtLeast(version, firstThatWorks),
    advice: `a PgBouncer older than ${firstThatWorks} to be refused (Debian 12: apt-get install pgbouncer)`,
  },
} as const

export type Pgbouncer = {
  port: number
  /** By way of it, as the server's role, to the database of the target. */
  url: string
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Leads it to another server from its next reload on. */
  setTargetPort: (port: number) => void
  /** As `systemctl reload` does. */
  reload: () => void
  /** Of its console: PAUSE, RELOAD, RESUME. Needs the server's role as `admin_users`. */
  command: (text: string) => Promise<void>
  log: () => string
  remove: () => Promise<void>
}

type Target = { host: string; port: number; database: string }

type Options = {
  version?: Version
  /** In place of lines of the page, by their names; left out when empty. */
  settings?: Readonly<Record<string, string>>
  /** In place of the one of the page; none when empty. */
  connectQuery?: string
  /** More of the line of its database. */
  databaseOptions?: string
  /** Of the server's role, where PostgreSQL asks for it. */
  password?: string
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

function versionOf(program: string): string | undefined {
  const { stdout } = spawnSync(program || 'none', ['--version'], { encoding: 'utf8' })
  return /PgBouncer (\d+\.\d+)/.exec(stdout ?? '')?.[1]
}

/** Whether the one that tests use is of this version or newer. */
export const isPgbouncerAtLeast = (version: string) => isAtLeast(versionOf(findProgram('new')) ?? '', version)

/** @throws Error saying what to install */
function findProgram(which: Version): string {
  const { places, fits, advice } = wanted[which]
  const found = places.find((place) => {
    const version = versionOf(place)
    return version !== undefined && fits(version)
  })
  if (found === undefined) throw new Error(`This test needs ${advice}`)
  return found
}

/** The configuration of the page, for this machine. */
function configure(
  target: Target,
  { folder, port }: { folder: string; port: number },
  { settings = {}, connectQuery, databaseOptions = '' }: Options,
): string {
  const { database, host, port: postgresPort } = target
  const page = readFileSync('docs/operations/postgresql.md', 'utf8')
  const [, block] = /```ini\n([\s\S]*?)```/.exec(page) ?? []
  if (block === undefined) throw new Error('docs/operations/postgresql.md has no block for PgBouncer')
  const own: Record<string, string> = {
    listen_port: String(port),
    auth_file: join(folder, 'userlist.txt'),
    unix_socket_dir: folder,
    ...settings,
  }
  const lines = block
    .replace(
      'sandpiper = host=db.internal port=5432 dbname=sandpiper',
      `${database} = host=${host} port=${postgresPort} dbname=${database} ${databaseOptions}`,
    )
    .replace(/ connect_query='.*'/, (given) =>
      connectQuery === undefined ? given : connectQuery && ` connect_query='${connectQuery}'`,
    )
    .split('\n')
    .filter((line) => !((/^(\w+) = /.exec(line)?.[1] ?? '') in own))
  const added = Object.entries(own).filter(([, value]) => value !== '')
  return [...lines, ...added.map(([name, value]) => `${name} = ${value}`), ''].join('\n')
}

/** @param target where PostgreSQL listens, and lets the server's role in without a password or with the one given */
export async function startPgbouncer(target: Target, options: Options = {}): Promise<Pgbouncer> {
  const { password = testPassword } = options
  const program = findProgram(options.version ?? 'new')
  const account = chooseAccount(null)
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const port = await findFreePort()
  const file = join(folder, 'pgbouncer.ini')
  const logFile = join(folder, 'log')
  const write = (led: Target) => writeFileSync(file, configure(led, { folder, port }, options))
  write(target)
  writeFileSync(join(folder, 'userlist.txt'), `"${APP_ROLE}" "${password}"\n`)
  chmodSync(folder, 0o755)
  if (account) chownSync(folder, account.uid, account.gid)
  const urlOf = (database: string) => `postgresql://${APP_ROLE}:${password}@127.0.0.1:${port}/${database}`
  const url = urlOf(target.database)
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    // Like PostgreSQL it does not run as root.
    const started = spawn(program, [file], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      ...spawnIds(account),
    })
    child = started
    started.stderr?.on('data', (lines: Buffer) => writeFileSync(logFile, lines, { flag: 'a' }))
    for (let tries = 0; tries < 100; tries++) {
      if (started.exitCode !== null) throw new Error(`PgBouncer does not start:\n${log()}`)
      if (await answers(url)) return
      await sleep(20)
    }
    throw new Error(`PgBouncer does not answer:\n${log()}`)
  }

  async function kill(): Promise<void> {
    const running = child
    child = null
    if (running === null || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
  }

  let kept: string | null = null
  const log = () => kept ?? readFileSync(logFile, 'utf8').slice(-4_000)
  await start()
  return {
    port,
    url,
    kill,
    start,
    log,
    setTargetPort: (postgresPort) => write({ ...target, port: postgresPort }),
    reload: () => void child?.kill('SIGHUP'),
    async command(text) {
      const console = new pg.Client({ connectionString: urlOf('pgbouncer') })
      await console.connect()
      await console.query(text)
      await console.end()
    },
    async remove() {
      await kill()
      kept = log()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {}) // closed by it
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
