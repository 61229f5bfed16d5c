/** Folders that a process writes to, each tried with a file before anything else starts. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Env } from '../env.ts'
import { EnvironmentError } from '../environment-error.ts'
import { makeFolder } from '../store/make-folder.ts'
import { storageOf } from './storage.ts'

/** Faults that last until somebody mends them. A full disk is not one: an alert reports it, and jobs continue. */
const lastingFaults = /^(EACCES|EEXIST|ELOOP|ENAMETOOLONG|ENOENT|ENOTDIR|EPERM|EROFS)$/

/** Makes the folder if it is missing, and leaves nothing in it. */
export async function tryFolder(folder: string): Promise<void> {
  const file = join(folder, `.sandpiper-${randomUUID()}`)
  await makeFolder(folder, 0o700)
  await writeFile(file, 'x')
  await rm(file)
}

/** @throws EnvironmentError for folders in which this process could not write */
export async function proveFolders(env: Env): Promise<void> {
  // The other roles only read and remove what jobs have written.
  if (env.ROLE !== 'worker' && env.ROLE !== 'all') return
  const { AUDIT_HEADS_DIR, AUDIT_HEADS_SECOND_DIR, DATA_DIR, EXPORT_DIR } = env
  const folders: Record<string, string | undefined> = {
    EXPORT_DIR: storageOf(env).kind === 'folder' ? EXPORT_DIR : undefined,
    AUDIT_HEADS_DIR,
    AUDIT_HEADS_SECOND_DIR,
  }
  const unset = new Set([join(DATA_DIR, 'exports'), join(DATA_DIR, 'audit-heads')])
  const problems: string[] = []
  for (const [name, folder] of Object.entries(folders)) {
    if (folder === undefined) continue
    const problem = await findProblem(resolve(folder))
    const settings = unset.has(folder) ? `${name}, or DATA_DIR,` : name
    if (problem !== null)
      problems.push(`${name} is ${problem}. Set ${settings} to a folder that the server’s user may write to`)
  }
  if (problems.length > 0) throw new EnvironmentError(problems)
}

async function findProblem(folder: string): Promise<string | null> {
  try {
    await tryFolder(folder)
    return null
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return lastingFaults.test(code) ? `${folder}, which cannot be made or written (${message})` : null
  }
}
