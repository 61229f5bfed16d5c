import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../postgres/start.mjs'
import { SetupError } from '../setup-error.mjs'
import { dataFolder, ROOT } from './folders.mjs'
import { ensureSecrets } from './secrets.mjs'

const WATCH_MS = 500

/**
 * The database a command works on: that of DATABASE_URL, else the embedded one, started.
 * @param {{ log: (line: string) => void }} options
 * @returns {Promise<{ environment: Record<string, string>, embedded: boolean, adminUrl: string,
 *   ownerUrl: string, appRole: string, place: string, stop: () => Promise<void> }>} `environment` is what
 *   the server and the seed need to use it; `place` says where the data lies, without credentials
 */
export async function openDatabase({ log }) {
  const databaseUrl = process.env.DATABASE_URL
  if (databaseUrl) {
    const { prepareDatabaseUrls } = await built('server/store/roles.js')
    const migrationUrl = process.env.DATABASE_MIGRATION_URL || undefined
    const { ownerUrl, appRole } = await prepareDatabaseUrls({ databaseUrl, migrationUrl }).catch(explain)
    const { hostname, pathname } = new URL(databaseUrl)
    const place = `the database ${pathname.slice(1)} on ${hostname}`
    return {
      environment: {},
      embedded: false,
      adminUrl: ownerUrl,
      ownerUrl,
      appRole,
      place,
      stop: async () => {},
    }
  }
  const folder = dataFolder()
  const server = await startPostgres({ dataDir: path.join(folder, 'postgres'), log })
  const endWatch = keepRunning(server, log)
  const environment = {
    ...ensureSecrets(folder),
    DATABASE_URL: server.appUrl,
    DATABASE_MIGRATION_URL: server.ownerUrl,
    DATA_DIR: folder,
    SANDPIPER_EMBEDDED: '1',
  }
  return {
    environment,
    embedded: true,
    adminUrl: server.adminUrl,
    ownerUrl: server.ownerUrl,
    appRole: 'sandpiper_app',
    place: server.cluster.startsWith(folder) ? folder : `${folder} and ${server.cluster}`,
    stop: async () => {
      await endWatch()
      await server.stop()
    },
  }
}

/**
 * Starts the embedded server again when it was killed: its addresses stay, so the server's pool finds it.
 * @param {import('../postgres/start.mjs').EmbeddedPostgres} server
 * @param {(line: string) => void} log
 * @returns {() => Promise<void>} ends the watch
 */
function keepRunning(server, log) {
  /** @type {Promise<void> | null} */
  let looking = null
  const look = async () => {
    try {
      if (await server.revive()) log('PostgreSQL had ended; it was started again')
    } catch (error) {
      log(`PostgreSQL has ended and does not start again: ${error instanceof Error ? error.message : error}`)
    }
    looking = null
  }
  const timer = setInterval(() => {
    looking ??= look()
  }, WATCH_MS)
  return async () => {
    clearInterval(timer)
    await looking
  }
}

/**
 * Applies what is pending.
 * @param {{ ownerUrl: string, appRole: string }} database
 * @returns {Promise<string[]>} names of what was applied
 */
export async function migrateDatabase({ ownerUrl, appRole }) {
  const { migrate } = await built('server/store/migrations.js')
  return migrate({ ownerUrl, appRole }).catch(explain)
}

/**
 * A module of the built server.
 * @param {string} file below `build`
 */
export function built(file) {
  return import(pathToFileURL(path.join(ROOT, 'build', file)).href)
}

/**
 * Errors whose message was written for people are shown as such.
 * @param {unknown} error
 * @returns {never}
 */
function explain(error) {
  if (!(error instanceof Error)) throw error
  const { code } = /** @type {NodeJS.ErrnoException} */ (error)
  if (error.name === 'MigrationError' || error.name === 'DatabaseRoleError')
    throw new SetupError(error.message)
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT' || code === 'ENOENT')
    throw new SetupError(`the database of DATABASE_URL cannot be reached (${code})`)
  // Classes 28 and 3D: wrong user or password, no such database.
  if (code?.startsWith('28') || code?.startsWith('3D'))
    throw new SetupError(`the database of DATABASE_URL refuses: ${error.message}`)
  throw error
}
