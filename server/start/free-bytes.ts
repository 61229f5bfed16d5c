import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Of the disk of a folder that may not be there yet; null if that cannot be read. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder
    return isMissing ? freeBytes(dirname(folder)) : null
  }
}
