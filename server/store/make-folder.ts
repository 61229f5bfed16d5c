/** Folders that settings and options name. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and its parents. Node's own recursive `mkdir` never returns where a folder exists in which none can be
 * made, such as /proc: it takes ENOENT for a missing parent and tries again.
 * @param mode of each folder that is made
 * @returns the first folder that was made, as `mkdir` does; undefined if there was nothing to make
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  const folder = resolve(path)
  if (await isFolder(folder)) return undefined
  const first = await makeFolder(dirname(folder), mode)
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    // A person else may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(folder))) throw error
    return first
  }
  return first ?? folder
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
