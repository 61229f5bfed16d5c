import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of package.json. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Where the embedded database, its secrets and demonstration sign-ins lie; made when missing. */
export function dataFolder() {
  const folder = path.resolve(ROOT, process.env.DATA_DIR || '.data')
  fs.mkdirSync(folder, { recursive: true })
  return folder
}
