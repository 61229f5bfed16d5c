import { spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { SetupError } from '../setup-error.mjs'
import { canReach, spawnIds } from './account.mjs'
import { SHARED_FOLDER, unsupported } from './binaries.mjs'

/** PostgreSQL's programs get no more of our environment than this. */
export const POSTGRES_ENVIRONMENT = /** @type {NodeJS.ProcessEnv} */ (
  /** @type {unknown} */ ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' })
)

/**
 * Absolute path of the data folder inside `dataDir`, or null when none was made yet. A note in `dataDir`
 * says when it lies elsewhere.
 * @param {string} dataDir
 */
export function findCluster(dataDir) {
  const note = path.join(dataDir, 'elsewhere')
  const candidates = [path.join(dataDir, 'cluster')]
  if (fs.existsSync(note)) candidates.unshift(fs.readFileSync(note, 'utf8').trim())
  return candidates.find((each) => fs.existsSync(path.join(each, 'PG_VERSION'))) ?? null
}

/**
 * Makes the data folder of a new database: whole or not at all.
 * @param {{ dataDir: string, account: import('./account.mjs').Account | null,
 *   binaries: import('./binaries.mjs').Binaries, sync: boolean, log: (line: string) => void }} options
 *   `sync` false skips flushing to disk, for databases that may be lost
 * @returns {Promise<string>} its absolute path
 */
export async function createCluster({ dataDir, account, binaries, sync, log }) {
  const cluster = choosePlace(dataDir, account, log)
  const parent = path.dirname(cluster)
  for (const name of fs.readdirSync(parent))
    if (name.startsWith(`${path.basename(cluster)}.new-`))
      fs.rmSync(path.join(parent, name), { recursive: true, force: true })

  const draft = `${cluster}.new-${crypto.randomUUID().slice(0, 8)}`
  fs.mkdirSync(draft, { mode: 0o700 })
  if (account) fs.chownSync(draft, account.uid, account.gid)
  const arguments_ = ['-D', draft, '-U', ADMIN_ROLE, '--auth=trust', '--encoding=UTF8', '--locale=C']
  arguments_.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions')
  if (!sync) arguments_.push('--no-sync')
  try {
    await runInitdb(binaries.initdb, arguments_, account)
    fs.renameSync(draft, cluster)
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    throw error
  }
  return cluster
}

/**
 * Refuses a data folder of another major version: PostgreSQL would, too, in words that help no one.
 * @param {string} cluster
 * @param {string} version of the bundled programs
 */
export function checkVersion(cluster, version) {
  const made = fs.readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim()
  const have = version.split('.')[0]
  if (made !== have)
    throw new SetupError(
      `the database in ${cluster} was created by PostgreSQL ${made}, but this version has ${have}. ` +
        `Move that folder away to start with a new one, or set DATABASE_URL to a PostgreSQL ${made} server on it.`,
    )
}

/**
 * @param {string} dataDir
 * @param {import('./account.mjs').Account | null} account
 * @param {(line: string) => void} log
 */
function choosePlace(dataDir, account, log) {
  if (canReach(dataDir, account)) return path.join(dataDir, 'cluster')
  const name = crypto.createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const cluster = path.join(SHARED_FOLDER, `data-${name}`)
  fs.mkdirSync(SHARED_FOLDER, { recursive: true, mode: 0o755 })
  fs.chmodSync(SHARED_FOLDER, 0o755)
  if (fs.existsSync(cluster))
    throw new SetupError(`a database of an earlier ${dataDir} is in ${cluster}; move or remove it`)
  fs.writeFileSync(path.join(dataDir, 'elsewhere'), `${cluster}\n`)
  log(`${account?.name} cannot enter ${dataDir}, so the database is in ${cluster}`)
  return cluster
}

/**
 * @param {string} initdb
 * @param {string[]} arguments_
 * @param {import('./account.mjs').Account | null} account
 */
function runInitdb(initdb, arguments_, account) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const child = spawn(initdb, arguments_, {
        ...spawnIds(account),
        cwd: '/',
        env: POSTGRES_ENVIRONMENT,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      child.on('error', (error) => reject(unsupported(error.message)))
      child.on('close', (code) => {
        if (code === 0) resolve()
        else reject(explain(output))
      })
    })
  )
}

/** @param {string} output of initdb */
function explain(output) {
  if (/could not look up effective user ID|no such user/i.test(output))
    return new SetupError(
      'PostgreSQL needs an account with a name, and this process runs under a user id that has none. ' +
        'Add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL server.',
    )
  if (/No space left on device/i.test(output))
    return new SetupError('no space is left on the disk for the database (60 MB are needed)')
  if (/error while loading shared libraries|not found|version `GLIBC/i.test(output))
    return unsupported(output.trim())
  return new SetupError(`initdb failed:\n${output.trim()}`)
}

/** Superuser of the embedded server; only the code in this folder signs in with it. */
export const ADMIN_ROLE = 'sandpiper_admin'
/** Owns the database and its tables: migrations and seed. */
export const OWNER_ROLE = 'sandpiper_owner'
/** What the server signs in with: owns nothing, bypasses nothing. */
export const APP_ROLE = 'sandpiper_app'
export const DATABASE = 'sandpiper'

/**
 * A URL for a server on a Unix socket, as `pg` and Prisma's adapter read it.
 * @param {string} socketFolder
 * @param {string} role
 * @param {string} database
 */
export function socketUrl(socketFolder, role, database) {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketFolder)}&port=5432`
}

/**
 * Makes the plain roles and the database when they are missing.
 * @param {string} adminUrl
 */
export async function prepareDatabase(adminUrl) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    for (const role of [OWNER_ROLE, APP_ROLE]) {
      const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
      if (rowCount === 0) await client.query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`)
    }
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER_ROLE}`)
    await client.query(`REVOKE ALL ON DATABASE ${DATABASE} FROM PUBLIC`)
    await client.query(`GRANT CONNECT ON DATABASE ${DATABASE} TO ${APP_ROLE}`)
  } finally {
    await client.end()
  }
}
