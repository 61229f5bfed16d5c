/** Runs a built program of ours and watches how much memory it takes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flatMemory } from '../bin/run-built.mjs'
import { ROOT } from '../scripts/setup/folders.mjs'

/** The most memory a loading process may use, at any size. */
export const memoryMegabytesMax = 300

export interface ToolRun {
  readonly seconds: number
  /** Resident memory at its highest; null where there is no /proc. */
  readonly peakMegabytes: number | null
  readonly exitCode: number
  readonly output: string
}

/** @param file below `build`. A killed one ends with 137. @throws when it ends with a code that is not expected */
export async function runTool(
  file: string,
  options: readonly string[],
  {
    environment,
    folder,
    codes = [0],
    killWhen,
  }: {
    environment: Readonly<Record<string, string>>
    folder: string
    codes?: number[]
    /** Asked every second; the program is killed when it says so. */
    killWhen?: () => Promise<boolean>
  },
): Promise<ToolRun> {
  const started = performance.now()
  const child = spawn(process.execPath, [...flatMemory.flags, join(ROOT, 'build', file), ...options], {
    cwd: folder,
    env: { ...process.env, ...flatMemory.environment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  let peak: number | null = null
  // The system keeps the highest value; the last look is at most this much older than the end.
  const watch = setInterval(() => {
    peak = peakOf(child.pid ?? 0) ?? peak
  }, 100)
  const executioner = setInterval(() => {
    killWhen?.().then((isTime) => isTime && child.kill('SIGKILL'), console.error)
  }, 1_000)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearInterval(watch)
  clearInterval(executioner)
  const exitCode = signal === 'SIGKILL' ? 137 : (code ?? 1)
  if (!codes.includes(exitCode)) throw new Error(`${file} ended with ${exitCode}`)
  return { seconds: (performance.now() - started) / 1000, peakMegabytes: peak, exitCode, output }
}

function peakOf(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Number(kilobytes) / 1_000
  } catch {
    return null
  }
}

/** A line about memory; a failed one is remembered by `bench` in its exit code. */
export function judgeMemory(peakMegabytes: number | null): string {
  if (peakMegabytes === null) return '– MB'
  const isFine = peakMegabytes <= memoryMegabytesMax
  if (!isFine) process.exitCode = 1
  return `${peakMegabytes.toFixed(0)} MB ${isFine ? '' : `OVER ${memoryMegabytesMax} MB`}`.trim()
}
