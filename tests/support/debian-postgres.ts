/** PostgreSQL from the machine's packages, for what the embedded one cannot do: TLS, replicas, failover, pg_dump. */
import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseAccount, spawnIds } from '../../scripts/postgres/account.mjs'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { migrate } from '../../server/store/migrations.ts'
import { APP_ROLE } from '../../server/store/roles.ts'
import { loadCast } from './cast.ts'

const account = chooseAccount(null)
const superuser = 'postgres'
export const ownerRole = 'sandpiper_owner'

export type DebianPostgres = {
  port: number
  folder: string
  /** Of a role on 127.0.0.1, which needs no password. */
  url: (role: string) => string
  asAdmin: <Result>(work: (client: pg.Client) => Promise<Result>) => Promise<Result>
  /** Every process gets the signal. SIGSTOP: it takes connections and says nothing. */
  signal: (name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => void
  /** Again, after it was stopped or killed. */
  start: () => Promise<void>
  promote: () => Promise<void>
  remove: () => void
}

type Options = {
  /** Lines of postgresql.conf. */
  settings?: readonly string[]
  /** In place of letting everybody in. */
  access?: readonly string[]
  /** Of 127.0.0.1; a free one unless told. */
  port?: number
  /** Files beside the data, readable by PostgreSQL alone. */
  files?: Readonly<Record<string, string>>
}

/** A new cluster with nothing in it. */
export function createCluster(options: Options = {}): Promise<DebianPostgres> {
  return prepare(options, (data) =>
    run('initdb', ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']),
  )
}

/** A new cluster with an owner, a plain role and an empty database. */
export async function createDebianPostgres(options: Options = {}): Promise<DebianPostgres> {
  const server = await createCluster(options)
  await server.asAdmin(async (client) => {
    await client.query(`CREATE ROLE ${ownerRole} LOGIN`)
    await client.query(`CREATE ROLE ${APP_ROLE} LOGIN`)
    await client.query(`CREATE DATABASE sandpiper OWNER ${ownerRole} TEMPLATE template0`)
  })
  return server
}

/** Migrated, with the pinned people. */
export async function fillDebianPostgres({ url }: DebianPostgres): Promise<void> {
  await migrate({ ownerUrl: url(ownerRole), appRole: APP_ROLE })
  await loadCast({ ownerUrl: url(ownerRole), appUrl: url(APP_ROLE), appRole: APP_ROLE })
}

/** A standby; from then on the primary acknowledges a commit only when the standby has it, too. */
export async function createStandby(
  primary: DebianPostgres,
  { settings = [], ...options }: Pick<Options, 'port' | 'settings'> = {},
): Promise<DebianPostgres> {
  const source = `host=127.0.0.1 port=${primary.port} user=${superuser} application_name=standby`
  const own = [`primary_conninfo = '${source}'`, ...settings]
  const standby = await prepare({ ...options, settings: own }, (data) =>
    run('pg_basebackup', ['-d', `${source} dbname=postgres`, '-D', data, '-R', '-X', 'stream', '-c', 'fast']),
  )
  await primary.asAdmin(async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    await client.query('SELECT pg_reload_conf()')
    const synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    while ((await client.query(synchronous)).rowCount !== 1) await sleep(100)
  })
  return standby
}

/** Settings of a primary that keeps its write-ahead log beside its data. */
export const archiving = [
  'archive_mode = on',
  `archive_command = 'mkdir -p FOLDER/wal && test ! -f FOLDER/wal/%f && cp %p FOLDER/wal/%f'`,
]

/** @returns the folder of a base backup, which holds its data as `base` */
export function takeBaseBackup(primary: DebianPostgres): string {
  const base = join(primary.folder, 'base')
  const source = `host=127.0.0.1 port=${primary.port} user=${superuser} dbname=postgres`
  run('pg_basebackup', ['-d', source, '-D', base, '-X', 'none', '-c', 'fast', '--no-manifest'])
  return base
}

/** A new server from a base backup and the log of `primary`, as it was at a moment. */
export async function recoverTo(
  primary: DebianPostgres,
  base: string,
  until: Date,
  options: Pick<Options, 'port'> = {},
): Promise<DebianPostgres> {
  const settings = [
    `archive_mode = off`,
    `restore_command = 'cp ${primary.folder}/wal/%f %p'`,
    // Not in the form of ISO 8601, which it refuses.
    `recovery_target_time = '${until.toISOString().replace('T', ' ').replace('Z', '+00')}'`,
    `recovery_target_action = 'promote'`,
  ]
  const recovered = await prepare({ ...options, settings }, (data) => {
    execFileSync('cp', ['-a', base, data])
    writeFileSync(join(data, 'recovery.signal'), '')
    if (account) chownSync(join(data, 'recovery.signal'), account.uid, account.gid)
  })
  await recovered.asAdmin(async (client) => {
    const isRecovering = async () => (await client.query('SELECT pg_is_in_recovery() AS yes')).rows[0].yes
    while (await isRecovering()) await sleep(100)
  })
  return recovered
}

async function prepare(
  { settings = [], access, port: chosenPort, files = {} }: Options,
  make: (data: string) => void,
): Promise<DebianPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-debian-'))
  const data = join(folder, 'data')
  const port = chosenPort ?? (await findFreePort())
  chmodSync(folder, 0o755)
  if (account) chownSync(folder, account.uid, account.gid)
  make(data)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    if (account) chownSync(join(folder, name), account.uid, account.gid)
  }
  if (access) writeFileSync(join(data, 'pg_hba.conf'), `${access.join('\n')}\n`)
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `port = ${port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = '${folder}'`,
      'fsync = off',
      'max_wal_senders = 4',
      ...settings.map((line) => line.replaceAll('FOLDER', folder)),
      '',
    ].join('\n'),
  )

  const log = join(folder, 'log')
  async function start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await runBeside('pg_ctl', ['-D', data, '-l', log, '-w', 'start'])
        return
      } catch (error) {
        const said = readFileSync(log, 'utf8').slice(-2_000)
        // A postmaster that was killed, and its processes, end a little later.
        if (tries === 100 || !/shared memory block|lock file .* already exists/.test(said))
          throw new Error(`PostgreSQL does not start:\n${said}`, { cause: error })
        await sleep(100)
      }
    }
  }
  const pidFile = join(data, 'postmaster.pid')

  function signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    const all = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
    // A killed postmaster takes its children with it.
    const pids = name === 'SIGKILL' ? [postmaster] : [postmaster, ...all.trim().split(/\s+/).map(Number)]
    for (const pid of pids) process.kill(pid, name)
  }

  async function asAdmin<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ host: folder, port, user: superuser, database: 'postgres' })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  await start()
  return {
    port,
    folder,
    url: (role) => `postgresql://${role}@127.0.0.1:${port}/sandpiper`,
    asAdmin,
    signal,
    start,
    promote: () => runBeside('pg_ctl', ['-D', data, '-w', 'promote']),
    remove() {
      if (existsSync(pidFile)) {
        try {
          signal('SIGCONT')
          run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
        } catch {
          // It was killed before.
        }
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(program: string, parameters: readonly string[]): void {
  execFileSync(join(findPrograms(), program), parameters, { cwd: '/', stdio: 'ignore', ...spawnIds(account) })
}

/** While this process goes on. */
async function runBeside(program: string, parameters: readonly string[]): Promise<void> {
  const file = join(findPrograms(), program)
  // Without a shell in between, the server would keep the pipes of its output open.
  await promisify(execFile)('sh', ['-c', 'exec "$@" > /dev/null 2>&1', 'sh', file, ...parameters], {
    cwd: '/',
    ...spawnIds(account),
  })
}

/** @throws Error saying what to install */
export function findPrograms(): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const places = [process.env.PG_BIN ?? '', ...versions.map((version) => join(debian, version, 'bin'))]
  const found = places.find((place) =>
    ['initdb', 'pg_basebackup', 'pg_ctl', 'pg_dump'].every((program) => existsSync(join(place, program))),
  )
  if (found) return found
  throw new Error(
    'This test needs initdb, pg_basebackup, pg_ctl and pg_dump. Install PostgreSQL 15 or newer ' +
      '(Debian: apt-get install postgresql-15), or set PG_BIN to the folder of its programs.',
  )
}
