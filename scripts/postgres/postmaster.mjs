import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../setup-error.mjs'
import { spawnIds } from './account.mjs'
import { unsupported } from './binaries.mjs'
import { POSTGRES_ENVIRONMENT } from './cluster.mjs'
import { isPostgresOn, processesInside, processIdentity } from './processes.mjs'

/** Crash recovery replays the log first; on a laptop's disk that may take a while. */
const READY_WAIT_MS = 600_000
/** The socket appears within milliseconds; one that stays away was deleted under a running server. */
const SOCKET_WAIT_MS = 15_000
const LOG_BYTES_MAX = 1_000_000

const FLAGS = [
  'listen_addresses=',
  'unix_socket_permissions=0700',
  'max_connections=100',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'timezone=UTC',
  'log_timezone=UTC',
  // Statements and key values can hold people's data: neither belongs in a log.
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
]

/**
 * The running server's process id, or null. A pid file left behind whose number now belongs to another
 * process is removed, because PostgreSQL would refuse to start beside it.
 * @param {string} cluster
 */
export async function findPostmaster(cluster) {
  const file = path.join(cluster, 'postmaster.pid')
  const pid = readPid(file)
  if (pid === null) return null
  if (isPostgresOn(pid, cluster)) return pid
  // The file also guards against children that outlive a killed parent: they must be gone first.
  for (let tries = 0; processesInside(cluster).length > 0; tries++) {
    if (tries > 500)
      throw new SetupError(
        `processes ${processesInside(cluster).join(', ')} still use ${cluster}; stop them first`,
      )
    await delay(20)
  }
  fs.rmSync(file, { force: true })
  return null
}

/**
 * Starts the server, apart from our terminal: Ctrl-C must reach it through us, after the last request.
 * @param {{ cluster: string, socketFolder: string, flags: string[], logFile: string, adminUrl: string,
 *   account: import('./account.mjs').Account | null, binaries: import('./binaries.mjs').Binaries }} options
 *   `flags` are settings such as `fsync=off`
 */
export async function startPostmaster({
  cluster,
  socketFolder,
  flags,
  logFile,
  adminUrl,
  account,
  binaries,
}) {
  const settings = [...FLAGS, sharedBuffers(machineMemory()), ...flags].flatMap((flag) => ['-c', flag])
  // Left by a killed server: while its process waits to be buried, PostgreSQL takes it for alive. The folder
  // is this cluster's alone, and nothing runs on the cluster.
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    fs.rmSync(path.join(socketFolder, name), { force: true })
  for (let tries = 0; ; tries++) {
    if (fs.existsSync(logFile) && fs.statSync(logFile).size > LOG_BYTES_MAX) fs.truncateSync(logFile)
    const output = fs.openSync(logFile, 'a', 0o600)
    const logStart = fs.fstatSync(output).size
    const child = spawn(binaries.postgres, ['-D', cluster, '-k', socketFolder, '-p', '5432', ...settings], {
      ...spawnIds(account),
      cwd: '/',
      env: POSTGRES_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', output, output],
    })
    fs.closeSync(output)
    /** @type {Promise<string>} */
    const ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', () =>
        resolve(fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8').slice(logStart) : ''),
      )
    })
    child.unref()
    const failure = await Promise.race([waitUntilReady(adminUrl, async () => child.exitCode === null), ended])
    if (failure === null) return
    // Children of a killed server need a moment to notice.
    if (tries < 50 && /shared memory block|is still in use/i.test(failure)) await delay(200)
    else throw explain(failure)
  }
}

/**
 * Waits for a server to take connections. Null when it does; gives up when `isRunning` says it is gone.
 * @param {string} adminUrl
 * @param {() => Promise<boolean>} isRunning
 * @returns {Promise<string | null>} what stood in the way
 */
export async function waitUntilReady(adminUrl, isRunning) {
  const begin = Date.now()
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl })
    client.on('error', () => {})
    try {
      await client.connect()
      return null
    } catch (error) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
      const wait = code === 'ENOENT' || code === 'ECONNREFUSED' ? SOCKET_WAIT_MS : READY_WAIT_MS
      if (Date.now() - begin > wait || !(await isRunning())) return message
      await delay(10)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/**
 * Stops the server the fast way: open transactions roll back, everything committed is on disk.
 * @param {string} cluster
 */
export async function stopPostmaster(cluster) {
  const pid = await findPostmaster(cluster)
  if (pid === null) return
  const identity = processIdentity(pid)
  const running = () => processIdentity(pid) === identity
  // SIGINT asks for fast shutdown; SIGQUIT leaves the rest to crash recovery.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGQUIT'])) {
    if (running()) process.kill(pid, signal)
    for (let tries = 0; running() && tries < 2_000; tries++) await delay(10)
  }
  if (running()) throw new SetupError(`PostgreSQL (process ${pid}) does not stop`)
}

/** @param {string} file */
function readPid(file) {
  try {
    return Number.parseInt(fs.readFileSync(file, 'utf8'), 10)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null
    throw error
  }
}

/** @param {string} output */
function explain(output) {
  if (/No space left on device/i.test(output))
    return new SetupError('no space is left on the disk for the database')
  if (/ENOENT|EACCES|loading shared libraries/i.test(output)) return unsupported(output.trim())
  return new SetupError(`PostgreSQL does not start:\n${output.trim()}`)
}

const MEGABYTE = 1024 * 1024

/**
 * Memory of this machine or, where it is less, of the container.
 * @returns {number} bytes
 */
export function machineMemory() {
  // Without a limit it is 0 or larger than any machine.
  const limit = process.constrainedMemory?.() ?? 0
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem()
}

/**
 * What PostgreSQL keeps in memory of its own. Pages that are not in it are copied from the system's cache, which made a
 * page of a chart cost 14 % more in a practice of a million resources. An eighth, because Node runs on the same machine.
 * @param {number} bytes of memory
 * @returns {string} a setting
 */
export function sharedBuffers(bytes) {
  const megabytes = Math.floor(bytes / 8 / MEGABYTE)
  return `shared_buffers=${Math.min(Math.max(megabytes, 64), 1024)}MB`
}
