import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../setup-error.mjs'
import { chooseAccount } from './account.mjs'
import { prepareBinaries } from './binaries.mjs'
import {
  ADMIN_ROLE,
  APP_ROLE,
  checkVersion,
  createCluster,
  DATABASE,
  findCluster,
  OWNER_ROLE,
  prepareDatabase,
  socketUrl,
} from './cluster.mjs'
import { withLock } from './lock.mjs'
import { findPostmaster, startPostmaster, stopPostmaster, waitUntilReady } from './postmaster.mjs'
import { livingUsers, prepareSocketFolder, registerUser } from './users.mjs'

/**
 * A running embedded server.
 * @typedef {object} EmbeddedPostgres
 * @property {string} adminUrl superuser; never handed to the server
 * @property {string} ownerUrl owner of the database: migrations, seed
 * @property {string} appUrl plain role of the server
 * @property {boolean} started false when a running server was found and is used together with others
 * @property {string} cluster the data folder
 * @property {() => Promise<boolean>} revive starts it again on the same addresses if it was killed; true when
 *   it did
 * @property {() => Promise<boolean>} stop leaves; the last one to leave stops the server. True when it was
 *   stopped, false when another person still uses it
 */

/**
 * Starts PostgreSQL on a data folder, or joins the one that runs there already. Safe to call from
 * several processes at once; a server that outlived its killed starter is adopted.
 * @param {{ dataDir: string, flags?: string[], log?: (line: string) => void }} options `flags` are
 *   settings such as `fsync=off`; they count only for the process that starts the server
 * @returns {Promise<EmbeddedPostgres>}
 * @throws {SetupError} with what to do, when this machine or folder cannot carry it
 */
export async function startPostgres({ dataDir, flags = [], log = () => {} }) {
  fs.mkdirSync(dataDir, { recursive: true })
  const folder = fs.realpathSync(dataDir)
  const lock = path.join(folder, 'lock')
  const users = path.join(folder, 'users')

  return withLock(lock, async () => {
    const existing = findCluster(folder)
    const account = chooseAccount(existing)
    const binaries = prepareBinaries(account, log)
    const cluster =
      existing ??
      (await createCluster({ dataDir: folder, account, binaries, sync: !flags.includes('fsync=off'), log }))
    checkVersion(cluster, binaries.version)
    const socketFolder = prepareSocketFolder(cluster, account)
    const adminUrl = socketUrl(socketFolder, ADMIN_ROLE, 'postgres')

    const logFile = path.join(folder, 'postgres.log')
    const ensureStarted = async () => {
      const found = await adopt(cluster, adminUrl)
      if (!found)
        await startPostmaster({ cluster, socketFolder, flags, logFile, adminUrl, account, binaries })
      return found
    }
    const running = await ensureStarted()
    const note = registerUser(users)
    await prepareDatabase(adminUrl)

    return {
      adminUrl,
      ownerUrl: socketUrl(socketFolder, OWNER_ROLE, DATABASE),
      appUrl: socketUrl(socketFolder, APP_ROLE, DATABASE),
      started: !running,
      cluster,
      revive: async () =>
        (await findPostmaster(cluster)) === null && withLock(lock, async () => !(await ensureStarted())),
      stop: () =>
        withLock(lock, async () => {
          fs.rmSync(note, { force: true })
          if (livingUsers(users).length > 0) return false
          const others = await otherClients(adminUrl)
          if (others > 0) {
            log(`PostgreSQL keeps running: connections of others are open (${others})`)
            return false
          }
          await stopPostmaster(cluster)
          fs.rmSync(socketFolder, { recursive: true, force: true })
          return true
        }),
    }
  })
}

/**
 * Stops whatever runs on a data folder, whether in use or not, and removes it all. For databases made to be lost.
 * @param {string} dataDir
 */
export async function discardPostgres(dataDir) {
  const folder = fs.existsSync(dataDir) ? fs.realpathSync(dataDir) : dataDir
  const cluster = findCluster(folder)
  if (cluster) {
    await stopPostmaster(cluster)
    fs.rmSync(prepareSocketFolder(cluster, chooseAccount(cluster)), { recursive: true, force: true })
    fs.rmSync(cluster, { recursive: true, force: true })
  }
  fs.rmSync(folder, { recursive: true, force: true })
}

/**
 * Joins a server that runs on this data folder; false when none does.
 * @param {string} cluster
 * @param {string} adminUrl
 */
async function adopt(cluster, adminUrl) {
  const isRunning = async () => (await findPostmaster(cluster)) !== null
  while (await isRunning()) {
    // A server on its way up or down refuses connections: ask until it either answers or is gone.
    const failure = await waitUntilReady(adminUrl, isRunning)
    if (failure === null) return true
    if (await isRunning())
      throw new SetupError(
        `PostgreSQL (process ${await findPostmaster(cluster)}) runs on ${cluster} but cannot be reached: ` +
          `${failure}. Stop that process and start again.`,
      )
  }
  return false
}

/**
 * Connections besides ours. A connection just closed takes the server a moment to notice.
 * @param {string} adminUrl
 */
async function otherClients(adminUrl) {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch {
    return 0
  }
  try {
    for (let tries = 0; ; tries++) {
      const { rows } = await client.query(
        "SELECT count(*)::int AS others FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      )
      if (rows[0].others === 0 || tries >= 50) return rows[0].others
      await delay(20)
    }
  } finally {
    await client.end().catch(() => {})
  }
}
