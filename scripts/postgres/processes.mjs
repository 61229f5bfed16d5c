import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

/**
 * What tells this process from a later one with the same id: its start time, as opaque text.
 * Null when no such process runs; a zombie counts as gone, because it answers signals but does nothing.
 * @param {number} pid
 * @returns {string | null}
 */
export function processIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') {
    const stat = readOrNull(`/proc/${pid}/stat`)
    if (stat === null) return null
    // The second field is the program's name in brackets and may hold spaces, so count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : `linux-${fields[19]}`
  }
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const line = ps.stdout?.trim() ?? ''
  if (ps.status !== 0 || line === '' || line.startsWith('Z')) return null
  return line.replace(/^\S+\s+/, '')
}

/**
 * Whether a process is a PostgreSQL server on this very data folder.
 * @param {number} pid
 * @param {string} cluster absolute path of the data folder
 */
export function isPostgresOn(pid, cluster) {
  if (processIdentity(pid) === null) return false
  const command = commandLine(pid)
  if (!/(^|\/)(postgres|postmaster)(\s|:|$)/.test(command.split('\0')[0] ?? '')) return false
  return (
    workingFolder(pid) === cluster ||
    command.split(/[\0\n]/).includes(cluster) ||
    command.includes(` ${cluster} `)
  )
}

/**
 * Process ids of PostgreSQL's children that still work on a data folder, for instance after its
 * parent was killed. Linux only; elsewhere PostgreSQL's own shared-memory check must do.
 * @param {string} cluster absolute path of the data folder
 * @returns {number[]}
 */
export function processesInside(cluster) {
  if (process.platform !== 'linux') return []
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && workingFolder(pid) === cluster)
    .filter((pid) => processIdentity(pid) !== null)
}

/** @param {number} pid */
function commandLine(pid) {
  if (process.platform === 'linux') return readOrNull(`/proc/${pid}/cmdline`) ?? ''
  const ps = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return `${(ps.stdout ?? '').trim()} `
}

/** @param {number} pid */
function workingFolder(pid) {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** @param {string} file */
function readOrNull(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
