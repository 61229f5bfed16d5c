/**
 * Work on a stranger's bytes in a process of its own: memory that runs out there ends that process. A thread's would
 * end this one, since no limit of Node's catches every allocation.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { deserialize, serialize } from 'node:v8'
import { rootDir } from './root-dir.ts'
import { programFile } from './threads.ts'

export type Bounds = Readonly<{ milliseconds: number; heapMegabytes: number; memoryMegabytes: number }>

const startMs = 20_000
const started = '\n'
/** It outlives a parent that was killed by no more than this of work. */
const withinSeconds = 'ulimit -t "$0" && exec "$@"'

/**
 * @param file its source, from the root of the project; it calls `answerApart`
 * @returns null when it took more time or memory than it may
 */
export function runApart<Result>(file: string, bytes: Uint8Array, bounds: Bounds): Promise<Result | null> {
  const { milliseconds, heapMegabytes, memoryMegabytes } = bounds
  const program = programFile(file)
  const seconds = String(Math.ceil(milliseconds / 1_000) + 2)
  const limits = [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=16']
  const child = spawn('/bin/sh', ['-c', withinSeconds, seconds, process.execPath, ...limits, program], {
    cwd: rootDir,
    // No secret of ours.
    env: { NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  return new Promise<Result | null>((resolve, reject) => {
    const stop = () => child.kill('SIGKILL')
    // A busy machine takes its time to start a process; that is no fault of the bytes.
    let deadline = setTimeout(stop, milliseconds + startMs)
    child.stdout.once('data', () => {
      clearTimeout(deadline)
      deadline = setTimeout(stop, milliseconds)
    })
    // Buffers are outside the heap. Elsewhere than on Linux, the deadline and the heap bound it.
    const watch = setInterval(() => {
      if (residentBytes(child.pid) > memoryMegabytes * 1_048_576) stop()
    }, 20)
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    // It ended before it had read everything; `close` follows.
    child.stdin.on('error', () => {})
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(deadline)
      clearInterval(watch)
      if (code === 0) resolve(deserialize(Buffer.concat(chunks).subarray(started.length)))
      else if (signal !== null) resolve(null)
      else reject(new Error(`${file} ended with code ${code}`))
    })
    child.stdin.end(bytes)
  })
}

/** In such a process. */
export async function answerApart(work: (bytes: Uint8Array) => Promise<unknown>): Promise<void> {
  // When the cores are busy, requests go first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.stdout.write(started)
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  process.stdout.end(serialize(await work(Buffer.concat(chunks))))
}

function residentBytes(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}
