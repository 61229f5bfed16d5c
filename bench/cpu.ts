import { readFileSync } from 'node:fs'
import { processesInside } from '../scripts/postgres/processes.mjs'

/** Linux counts CPU time in ticks of 10 ms, whatever the kernel was built with. */
const TICK_MS = 10

/** CPU used so far, in milliseconds. Null where there is no /proc. */
export function cpuOf(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * TICK_MS, 0)
}

/** The server of a data folder with all its children, those that have ended in between included. */
export function postgresProcesses(cluster: string): number[] {
  return processesInside(cluster)
}

/** Own time and that of children already reaped. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  } catch {
    return 0
  }
}
