/** The folder of package.json, found from here whether this file runs from source or from the bundle. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRootDir(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const parent = dirname(from)
  if (parent === from) throw new Error('package.json was not found above the running file')
  return findRootDir(parent)
}

export const rootDir: string = findRootDir(dirname(fileURLToPath(import.meta.url)))
