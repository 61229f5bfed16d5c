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

export type ThreadBounds = Readonly<{ milliseconds: number; heapMegabytes: number; memoryMegabytes: number }>

/**
 * One piece of work in a thread of its own: `workerData` is its input, its first message the result.
 * @returns null when it took more time or memory than it may
 */
export function runInThread<Result>(
  file: string,
  workerData: unknown,
  { milliseconds, heapMegabytes, memoryMegabytes }: ThreadBounds,
): Promise<Result | null> {
  const thread = startThread(file, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
  })
  // Buffers are outside the heap, and no limit of Node counts them.
  const memoryMax = process.memoryUsage.rss() + memoryMegabytes * 1_048_576
  return new Promise<Result | null>((resolve, reject) => {
    const stop = () => {
      clearTimeout(deadline)
      clearInterval(watch)
      void thread.terminate()
    }
    const end = (result: Result | null) => {
      stop()
      resolve(result)
    }
    const fail = (error: Error & { code?: string }) => {
      stop()
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(null)
      else reject(error)
    }
    const deadline = setTimeout(end, milliseconds, null)
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() > memoryMax) end(null)
    }, 20)
    thread.once('message', end)
    thread.once('error', fail)
    thread.once('exit', (code) => fail(new Error(`${file} ended with code ${code} and no result`)))
  })
}
