import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { SetupError } from '../setup-error.mjs'
import { ROOT } from './folders.mjs'

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage */

/**
 * Installs the packages of the lockfile unless exactly those are installed already.
 * @param {(line: string) => void} log
 * @returns {boolean} whether it did
 * @throws {SetupError} when npm fails
 */
export function ensureDependencies(log) {
  if (areInstalled(readPackages('package-lock.json'), readPackages('node_modules/.package-lock.json')))
    return false
  log('Installing packages (npm ci) …')
  // npm tells its scripts where it lies; a bare `node scripts/run.mjs` must look for it.
  const npm = process.env.npm_execpath
  const [command, ...arguments_] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const run = spawnSync(command ?? 'npm', [...arguments_, 'ci', '--include=dev', '--no-progress'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm start inside npm ci would inherit the outer run's settings, such as omit=dev.
    env: { ...process.env, NODE_ENV: 'development' },
  })
  if (run.status !== 0) throw new SetupError('npm ci failed; see its message above')
  return true
}

/**
 * Whether every locked package is installed in the locked version. npm leaves out what is optional or
 * made for another platform; what it installs without a lock entry does no harm.
 * @param {Record<string, LockedPackage> | null} locked
 * @param {Record<string, LockedPackage> | null} installed npm's own note, written when an install is complete
 */
export function areInstalled(locked, installed) {
  if (!locked) throw new SetupError('package-lock.json is missing or damaged; restore it')
  if (!installed) return false
  return Object.entries(locked).every(([name, wanted]) => {
    if (name === '') return true
    const found = installed[name]
    if (found) return found.version === wanted.version
    return wanted.optional || wanted.os || wanted.cpu || wanted.libc
  })
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | null}
 */
function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')).packages
  } catch {
    return null
  }
}
