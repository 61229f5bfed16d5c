import fs from 'node:fs'
import path from 'node:path'
import { withLock } from '../postgres/lock.mjs'
import { SetupError } from '../setup-error.mjs'
import { installPackages, installTools, readPackageState } from './dependencies.mjs'
import { ROOT } from './folders.mjs'

const NO_BUILD =
  'These sources are not built, and the packages for building are not installed (npm ci --omit=dev). ' +
  'First run npm ci && npm run build, here or on a machine with the same sources, and copy the folder build/.'

/**
 * What a command needs of a checkout.
 * @typedef {{ build: boolean, install?: boolean, development?: boolean, log: (line: string) => void }} Needs `install`
 *   for the commands of a newcomer: a command that runs beside a server must not exchange the packages under it.
 *   `development` for work that needs the tools of tests/package.json as well
 */

/**
 * Makes a checkout ready: packages, Prisma client, and, when asked for, the build. Quick when nothing is to
 * be done; of two that run at once, one works and the other waits. Packages installed without those for
 * development (npm ci --omit=dev) are left alone, and so is the build, which they cannot make.
 * @param {Needs} needs
 * @throws {SetupError} with the command to run, when something is missing that it may not make
 */
export async function prepare(needs) {
  await (await prepareServer(needs)).portal
}

/**
 * The same, but returns when the server and the seed are built: migrating and filling a new database takes as long as
 * building the pages.
 * @param {Needs} needs
 * @returns {Promise<{ portal: Promise<void> }>} `portal` ends when the pages are built; it must be awaited
 */
export async function prepareServer({ build, install = false, development = false, log }) {
  let portal = Promise.resolve()
  if (readPackageState() === 'production') {
    if (development) throw new SetupError('The development packages are not installed. Run npm ci.')
    const { isBuilt } = await import('./build-steps.mjs')
    if (build && !isBuilt()) throw new SetupError(NO_BUILD)
    return { portal }
  }
  const folder = path.join(ROOT, 'build')
  fs.mkdirSync(folder, { recursive: true })
  await withLock(
    path.join(folder, 'setup.lock'),
    async () => {
      const state = readPackageState()
      if (state === 'production-outdated')
        throw new SetupError('The installed packages differ from package-lock.json. Run npm ci --omit=dev.')
      if (state === 'incomplete' && !install)
        throw new SetupError('The installed packages differ from package-lock.json. Run npm ci.')
      if (state === 'incomplete') installPackages(log)
      if (development && state !== 'complete') installTools(log)
      // Imports packages, which may have come only now.
      const { ensurePortal, ensurePrismaClient, ensureServer } = await import('./build.mjs')
      if (!build) return ensurePrismaClient()
      portal = ensurePortal(log)
      // Its failure is reported where it is awaited.
      portal.catch(() => {})
      await ensureServer(log)
    },
    { waitMs: 900_000 },
  )
  return { portal }
}
