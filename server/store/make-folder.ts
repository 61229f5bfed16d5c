/** Creates folders that settings and options name. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its parents. Node's recursive `mkdir` never returns below an existing folder that takes no
 * subfolders, such as /proc: it takes ENOENT for a missing parent and tries again.
 * @param mode permissions of each new folder
 * @returns the first folder that was created, as `mkdir` does; undefined if all existed
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  const folder = resolve(path)
  if (await isFolder(folder)) return undefined
  const first = await makeFolder(dirname(folder), mode)
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    // Another process may have created it meanwhile.
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
