/** Worker threads for what would hold up other requests. Each runs from the build, or as TypeScript from its source. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { rootDir } from './root-dir.ts'

/** @param file its source, from the root of the project */
export function startThread(file: string, options: WorkerOptions = {}): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    const built = join(rootDir, 'build', file.replace(/\.ts$/, '.js'))
    return new Worker(built, { execArgv: ['--enable-source-maps'], ...options })
  }
  // `--import tsx` does nothing in a thread of Node 20.
  const source = JSON.stringify(pathToFileURL(join(rootDir, file)).href)
  const script = `import('tsx/esm/api').then(({ register }) => { register(); return import(${source}) })`
  return new Worker(script, { ...options, eval: true })
}

/**
 * Called in a thread: when the cores are busy, requests go first. Linux schedules each thread by itself; elsewhere the
 * priority is that of the whole process, and stays.
 */
export function yieldToRequests(): void {
  if (process.platform !== 'linux') return
  // Synchronous, so that it is this thread's own: `1234/task/1240`
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
}
