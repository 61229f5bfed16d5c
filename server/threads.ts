/** Programs for what would hold up other requests, in a thread or a process of its own. */
import { readlinkSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { rootDir } from './root-dir.ts'

const bundled = new Map<string, string>()

/** @param file its source, from the root of the project */
export const startThread = (file: string, options: WorkerOptions = {}): Worker =>
  new Worker(programFile(file), { execArgv: ['--enable-source-maps'], ...options })

/** The JavaScript of a program: of the build, or bundled once by a process that runs from source itself. */
export function programFile(file: string): string {
  if (!import.meta.url.endsWith('.ts')) return join(rootDir, 'build', file.replace(/\.ts$/, '.js'))
  return bundled.get(file) ?? bundleProgram(file)
}

/**
 * A loader of TypeScript would take two seconds of each start. The bundle lies where its packages are found, and takes
 * its name when it is whole: other processes may make the same one.
 */
function bundleProgram(file: string): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const program = join(rootDir, 'node_modules/.cache/programs', file.replace(/ts$/, 'mjs'))
  const outfile = `${program}.${process.pid}`
  const options = { packages: 'external', format: 'esm', platform: 'node', sourcemap: 'inline' } as const
  buildSync({ ...options, absWorkingDir: rootDir, entryPoints: [file], bundle: true, outfile })
  renameSync(outfile, program)
  bundled.set(file, program)
  return program
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
