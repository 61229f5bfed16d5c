import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { SetupError } from '../setup-error.mjs'
import { ROOT } from './folders.mjs'
import { findPackage } from './lockfile.mjs'

/**
 * @typedef {{ version?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, link?: boolean, os?: string[],
 *   cpu?: string[], libc?: string[], dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} LockedPackage
 */

/**
 * What is installed, held against the lockfile. `complete`: everything. `build`: what npm ci installs, which builds and
 * serves; the tools of the workspace tests/ are missing. `production`: what npm ci --omit=dev installs, and none of the rest.
 * @typedef {'complete' | 'build' | 'incomplete' | 'production' | 'production-outdated'} PackageState
 */

/**
 * @returns {PackageState}
 * @throws {SetupError} without a lockfile
 */
export function readPackageState() {
  return comparePackages(readPackages('package-lock.json'), readPackages('node_modules/.package-lock.json'))
}

/**
 * Installs the packages of the lockfile for building and serving: npm ci, which leaves out workspaces (.npmrc).
 * @param {(line: string) => void} log
 * @throws {SetupError} when npm fails
 */
export function installPackages(log) {
  log('Installing packages (npm ci) …')
  runNpm(['ci', '--workspaces=false', '--include=dev', '--no-progress'])
}

/**
 * Installs the tools of checking and testing beside what is there already.
 * @param {(line: string) => void} log
 * @throws {SetupError} when npm fails
 */
export function installTools(log) {
  log('Installing the tools of tests/package.json …')
  runNpm([
    'install',
    '--no-save',
    '--workspaces',
    '--include-workspace-root',
    '--include=dev',
    '--no-progress',
  ])
}

/** @param {string[]} args */
function runNpm(args) {
  // npm tells its scripts where it lies; a bare `node scripts/run.mjs` must look for it.
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const run = spawnSync(command ?? 'npm', [...first, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm start inside npm ci would inherit the outer run's settings, such as omit=dev.
    env: { ...process.env, NODE_ENV: 'development' },
  })
  if (run.status !== 0) throw new SetupError(`npm ${args[0]} failed; see its message above`)
}

/**
 * @param {Record<string, LockedPackage> | null} locked
 * @param {Record<string, LockedPackage> | null} installed npm's own note, written when an install is complete
 * @returns {PackageState}
 */
export function comparePackages(locked, installed) {
  if (areInstalled(locked, installed)) return 'complete'
  if (!locked || !installed) return 'incomplete'
  if (areInstalled(withoutWorkspaces(locked), installed)) return 'build'
  const names = Object.keys(installed)
  if (names.length === 0 || names.some((name) => locked[name]?.dev === true)) return 'incomplete'
  const needed = Object.entries(locked).filter(([, { dev, devOptional }]) => !dev && !devOptional)
  return areInstalled(Object.fromEntries(needed), installed) ? 'production' : 'production-outdated'
}

/**
 * What the project itself needs, directly or by way of another package.
 * @param {Record<string, LockedPackage>} locked
 */
function withoutWorkspaces(locked) {
  const { dependencies, devDependencies } = locked[''] ?? {}
  /** @type {Map<string, LockedPackage>} */
  const reached = new Map([['', { dependencies: { ...dependencies, ...devDependencies } }]])
  for (const [place, each] of reached) {
    const names = { ...each.dependencies, ...each.optionalDependencies }
    for (const name of Object.keys(names)) {
      const found = findPackage(locked, place, name)
      if (found && locked[found]) reached.set(found, locked[found])
    }
  }
  return Object.fromEntries(reached)
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
    // The project itself, and the workspace whose tools these are.
    if (name === '' || wanted.link || !name.includes('node_modules/')) return true
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
