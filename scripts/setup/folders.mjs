import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../setup-error.mjs'

/** Folder of package.json. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Where the embedded database, its secrets and demonstration sign-ins lie; made when missing.
 * @throws {SetupError} when it cannot be made
 */
export function dataFolder() {
  const folder = path.resolve(ROOT, process.env.DATA_DIR || '.data')
  try {
    makeFolder(folder)
  } catch (error) {
    throw new SetupError(
      `DATA_DIR is ${folder}, which cannot be made (${/** @type {Error} */ (error).message}). ` +
        'Set it to a folder that this user may write to.',
    )
  }
  return folder
}

/**
 * As server/store/make-folder.ts does, which says why: before anything is built.
 * @param {string} folder
 */
function makeFolder(folder) {
  const exists = () => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (exists()) return
  makeFolder(path.dirname(folder))
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    // Another command may have made it meanwhile.
    if (!exists()) throw error
  }
}
