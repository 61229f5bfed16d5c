import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isPostgresOn } from '../postgres/processes.mjs'
import { ROOT } from '../setup/folders.mjs'
import { runWork } from './stage.mjs'

/**
 * A test of its own in every run: what lies in the data folder of this checkout is the same before and after.
 * @returns {() => Promise<import('./tests.mjs').Count>} to be called at the end
 */
export function checkInstallation() {
  const folder = path.resolve(ROOT, process.env.DATA_DIR || '.data')
  const before = readInstallation(folder)
  return async () => {
    const { ok } = await runWork('installation untouched', async () => {
      const changes = findChanges(before, readInstallation(folder))
      if (changes.length > 0) throw new Error(`the tests changed ${folder}:\n${changes.join('\n')}`)
    })
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
  }
}

/** What a running server writes into its data folder by itself. */
const WRITTEN_BY_SERVER = /^(postgres|exports|audit-heads)\/|^server\.log$/

/**
 * What lies in the data folder of an installation: every file with the hash of its bytes.
 * @typedef {{ running: boolean, files: Map<string, string> }} InstallationState
 */

/**
 * Reads without writing: not even a lock.
 * @param {string} folder that may not exist
 * @returns {InstallationState}
 */
function readInstallation(folder) {
  const names = fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => name.split(path.sep).join('/'))
    : []
  const files = new Map(names.flatMap((name) => hashFile(path.join(folder, name), name)))
  return { running: isRunning(folder), files }
}

/**
 * Names of files that were changed, added or removed. While a server runs, its own files are left out.
 * @param {InstallationState} before
 * @param {InstallationState} after
 * @returns {string[]}
 */
function findChanges(before, after) {
  const running = before.running || after.running
  const names = [...new Set([...before.files.keys(), ...after.files.keys()])]
  return names.filter(
    (name) => before.files.get(name) !== after.files.get(name) && !(running && WRITTEN_BY_SERVER.test(name)),
  )
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {[string, string][]}
 */
function hashFile(file, name) {
  try {
    const { size } = fs.statSync(file)
    const hash = fs.lstatSync(file).isFile()
      ? crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex')
      : 'no file'
    return [[name, hash === 'no file' ? hash : `${size} ${hash}`]]
  } catch {
    // Gone since the folder was listed: a running server does that.
    return []
  }
}

/** @param {string} folder */
function isRunning(folder) {
  const note = path.join(folder, 'postgres/elsewhere')
  const cluster = fs.existsSync(note)
    ? fs.readFileSync(note, 'utf8').trim()
    : path.join(folder, 'postgres/cluster')
  const file = path.join(cluster, 'postmaster.pid')
  return fs.existsSync(file) && isPostgresOn(Number.parseInt(fs.readFileSync(file, 'utf8'), 10), cluster)
}
