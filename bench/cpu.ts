import { readdirSync, readFileSync } from 'node:fs'
import { processesInside } from '../scripts/postgres/processes.mjs'

/** Linux counts the CPU time of processes in ticks of 10 ms, whatever the kernel was built with. */
const TICK_MICROS = 10_000

/** CPU used so far, in microseconds: of the threads that are alive, and of all there were. */
export type CpuTime = { fine: number; coarse: number }

/** Null where there is no /proc. */
export function cpuOf(pids: readonly number[]): CpuTime | null {
  if (process.platform !== 'linux') return null
  const times = pids.map(timeOf)
  return {
    fine: times.reduce((sum, { fine }) => sum + fine, 0),
    coarse: times.reduce((sum, { coarse }) => sum + coarse, 0),
  }
}

/** Null if either is. Where a thread or a process ended meanwhile, the coarse count is the one that knows. */
export function cpuBetween(before: CpuTime | null, after: CpuTime | null): number | null {
  if (before === null || after === null) return null
  const coarse = after.coarse - before.coarse
  const fine = after.fine - before.fine
  return fine < coarse - 5 * TICK_MICROS ? coarse : fine
}

/** The server of a data folder with all its children, those that have ended in between included. */
export function postgresProcesses(cluster: string): number[] {
  return processesInside(cluster)
}

/** The processes of a server that this program started, by their role. */
export function serverProcesses(): { pid: number; role: string }[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((name) => {
    const command = read(`/proc/${name}/cmdline`)
    if (!command?.includes('build/server/index.js') || parentOf(name) !== process.pid) return []
    const role = read(`/proc/${name}/environ`)
      ?.split('\0')
      .find((each) => each.startsWith('ROLE='))
    return [{ pid: Number(name), role: role?.slice('ROLE='.length) || 'all' }]
  })
}

function timeOf(pid: number): CpuTime {
  const fields = statOf(pid)
  if (fields === null) return { fine: 0, coarse: 0 }
  const [own, children] = [fields.slice(11, 13), fields.slice(13, 15)].map(
    (pair) => pair.reduce((sum, field) => sum + Number(field), 0) * TICK_MICROS,
  ) as [number, number]
  const threads = list(`/proc/${pid}/task`).map((id) => read(`/proc/${pid}/task/${id}/schedstat`))
  const known = threads.every((text) => text !== null && /^\d+ /.test(text))
  const fine = threads.reduce((sum, text) => sum + Number.parseInt(text ?? '0', 10) / 1_000, 0)
  return { fine: (known ? fine : own) + children, coarse: own + children }
}

function parentOf(pid: string): number | null {
  const parent = statOf(pid)?.[1]
  return parent === undefined ? null : Number(parent)
}

/** From the third field on: the second, the name, may hold spaces. */
function statOf(pid: number | string): string[] | null {
  const stat = read(`/proc/${pid}/stat`)
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
