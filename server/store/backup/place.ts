/** Where the files of a backup lie: in a folder, or in object storage (object-place.ts). */
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BackupError, MANIFEST } from './manifest.ts'

export interface BackupPlace {
  /** For people. */
  readonly name: string
  /** Null where files lie elsewhere: programs of PostgreSQL need one. */
  readonly folder: string | null
  /** @throws BackupError when no backup was completed there */
  readManifest(): Promise<string>
  /** @throws BackupError when the file is missing or was changed, at once or on the way */
  read(file: string): AsyncIterable<Buffer>
}

/** A backup that is being written. */
export interface BackupDraft {
  /** For people. */
  readonly name: string
  /** As of a place. */
  readonly folder: string | null
  write(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** From here on it counts. */
  keep(manifest: string): Promise<void>
  discard(): Promise<void>
}

export function openFolder(folder: string): BackupPlace {
  return {
    name: folder,
    folder,
    readManifest: () =>
      readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new BackupError(`there is no backup in ${folder}: ${MANIFEST} cannot be read (${error.code})`)
      }),
    read: (file) => createReadStream(join(folder, file)),
  }
}

/**
 * Under a temporary name until it is whole and on the disk. Killed, it leaves a folder `.partial-<process>` that the
 * next one removes.
 * @throws BackupError when the folder is there already
 */
export async function beginFolder(to: string): Promise<BackupDraft> {
  const target = resolve(to)
  const refuseExisting = async () => {
    if (await lstat(target).catch(() => null)) throw new BackupError(`${target} is there already`)
  }
  await refuseExisting()
  await removeLeftovers(target)
  const folder = `${target}.partial-${process.pid}`
  await mkdir(folder, { mode: 0o700 })
  await chmod(folder, 0o700)
  const own = { flag: 'wx', mode: 0o600 }
  return {
    name: target,
    folder,
    write: (file, chunks) =>
      pipeline(chunks, createWriteStream(join(folder, file), { flags: own.flag, mode: own.mode })),
    async keep(manifest) {
      await writeFile(join(folder, MANIFEST), manifest, own)
      for (const name of await readdir(folder)) await flush(join(folder, name))
      await flush(folder)
      // Somebody may have made it meanwhile: an empty folder would be replaced without a word.
      await refuseExisting()
      await rename(folder, target)
      await flush(dirname(target))
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  }
}

/** On the disk, and not only on its way there. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What runs that were killed left behind. */
async function removeLeftovers(target: string): Promise<void> {
  const parent = dirname(target)
  const begin = `${basename(target)}.partial-`
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${parent} cannot be written to (${error.code})`)
  })
  for (const name of names) {
    const pid = name.startsWith(begin) ? Number(name.slice(begin.length)) : 0
    if (pid > 0 && !isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
