import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runBuilt } from '../../bin/run-built.mjs'
import { startPostgres } from '../postgres/start.mjs'
import { SetupError } from '../setup-error.mjs'
import { dataFolder, ROOT } from './folders.mjs'
import { ensureSecrets } from './secrets.mjs'

const WATCH_MS = 500
/** Thousands of small transactions need not each wait for the disk: after a crash the seed fills in what is missing. */
const UNHURRIED_COMMITS = { PGOPTIONS: '-c synchronous_commit=off' }

/**
 * The database a command works on: that of DATABASE_URL, else the embedded one, started.
 * @typedef {object} Database
 * @property {Record<string, string>} environment what the server and the seed need to use it
 * @property {boolean} embedded
 * @property {string} place where the data lies, without credentials
 * @property {() => Promise<{ ownerUrl: string, adminUrl: string, appRole: string }>} owner who may change tables; a
 *   database of one's own is asked for it, and given the server's role, only now
 * @property {() => Promise<void>} stop
 */

/**
 * @param {{ log: (line: string) => void }} options
 * @returns {Promise<Database>}
 */
export async function openDatabase({ log }) {
  const databaseUrl = process.env.DATABASE_URL
  if (databaseUrl) {
    const { describeServers, parseDatabaseUrl } = await built('server/store/database-url.js')
    const address = parseDatabaseUrl(databaseUrl)
    return {
      environment: {},
      embedded: false,
      place: `the database ${address.database ?? ''} on ${describeServers(address)}`,
      owner: async () => {
        const { prepareDatabaseUrls } = await built('server/store/roles.js')
        const migrationUrl = process.env.DATABASE_MIGRATION_URL || undefined
        const { ownerUrl, appRole } = await prepareDatabaseUrls({ databaseUrl, migrationUrl }).catch(explain)
        return { ownerUrl, adminUrl: ownerUrl, appRole }
      },
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
    place: server.cluster.startsWith(folder) ? folder : `${folder} and ${server.cluster}`,
    owner: async () => ({
      ownerUrl: server.ownerUrl,
      adminUrl: server.adminUrl,
      appRole: 'sandpiper_app',
    }),
    stop: async () => {
      await endWatch()
      await server.stop()
    },
  }
}

/**
 * Refuses what the server would refuse, before a database is started, migrated or filled for it.
 * @returns {Promise<{ ROLE: string, PORT: number, HEALTH_PORT: number, HOST: string }>} the environment as the
 *   server will read it
 */
export async function checkEnvironment() {
  const { parseEnv } = await built('server/env.js')
  const { createKeyring } = await built('server/keyring.js')
  const embedded = process.env.DATABASE_URL
    ? {}
    : {
        ...ensureSecrets(dataFolder()),
        DATABASE_URL: 'postgresql://embedded/sandpiper',
        SANDPIPER_EMBEDDED: '1',
      }
  try {
    const environment = parseEnv({ ...process.env, ...embedded })
    createKeyring(environment.ENCRYPTION_KEYS)
    return environment
  } catch (error) {
    return explain(error)
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
      if (await server.revive()) log('PostgreSQL stopped; it was restarted')
    } catch (error) {
      log(`PostgreSQL stopped and does not restart: ${error instanceof Error ? error.message : error}`)
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
 * @param {Database} database
 * @returns {Promise<string[]>} names of what was applied
 */
export async function migrateDatabase(database) {
  const { migrate } = await built('server/store/migrations.js')
  const { ownerUrl, appRole } = await database.owner()
  return migrate({ ownerUrl, appRole }).catch(explain)
}

/**
 * Migrates and fills the embedded database; one of one's own only when asked, because other processes may be serving
 * on it, and made-up people are not wanted everywhere.
 * @param {Database} database
 * @param {{ migrate: boolean, seed: boolean, empty: boolean }} asked
 * @param {(line: string) => void} log
 */
export async function bringUpToDate(database, asked, log) {
  if (database.embedded || asked.migrate) {
    const applied = await migrateDatabase(database)
    if (applied.length > 0) log(`Database brought up to date (${applied.length} migrations)`)
  }
  if (database.embedded || asked.seed)
    await runSeed(
      { ...database.environment, ...(database.embedded ? UNHURRIED_COMMITS : {}) },
      asked.empty ? ['--if-empty', '--no-history'] : ['--if-empty'],
    )
}

/**
 * Runs the seed with the given options.
 * @param {Record<string, string>} environment of the database
 * @param {string[]} options
 * @returns {Promise<void>}
 * @throws {SetupError} when it fails
 */
export async function runSeed(environment, options) {
  const status = await runBuilt('seed/cli.js', options, { environment, folder: ROOT })
  // Code 2: it said what is wrong, and did nothing.
  if (status === 2) throw new SetupError('Nothing was started.')
  if (status !== 0) throw new SetupError('the seed failed; see its message above')
}

/**
 * A module of the built server.
 * @param {string} file below `build`
 */
export function built(file) {
  return import(pathToFileURL(path.join(ROOT, 'build', file)).href)
}

/**
 * Faults that the person at the keyboard can mend are shown as a sentence.
 * @param {unknown} error
 * @returns {Promise<never>}
 */
async function explain(error) {
  const { describeStartFault } = await built('server/start/start-fault.js')
  const sentence = describeStartFault(error)
  throw sentence === null ? error : new SetupError(sentence)
}
