import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SetupError } from '../setup-error.mjs'
import { canReach } from './account.mjs'
import { processIdentity } from './processes.mjs'

/**
 * Notes down that this process uses the server, so that another user's leaving does not stop it.
 * @param {string} folder where the notes lie
 * @returns {string} the note; remove it when done
 */
export function registerUser(folder) {
  fs.mkdirSync(folder, { recursive: true })
  const note = path.join(folder, `${process.pid}-${crypto.randomUUID().slice(0, 8)}`)
  fs.writeFileSync(note, processIdentity(process.pid) ?? '')
  return note
}

/**
 * Process ids of living users; notes of dead ones are removed.
 * @param {string} folder
 * @returns {number[]}
 */
export function livingUsers(folder) {
  if (!fs.existsSync(folder)) return []
  return fs.readdirSync(folder).flatMap((name) => {
    const pid = Number.parseInt(name, 10)
    const identity = fs.readFileSync(path.join(folder, name), 'utf8')
    if (processIdentity(pid) === identity) return [pid]
    fs.rmSync(path.join(folder, name), { force: true })
    return []
  })
}

// The kernel's limit for a socket's path is 104 bytes on macOS and 108 on Linux.
const SOCKET_PATH_BYTES_MAX = 100

/**
 * Makes the folder of the server's socket: short, named by the data folder, and closed to everybody
 * else, because every client that can open the socket is trusted.
 * @param {string} cluster absolute path of the data folder
 * @param {import('./account.mjs').Account | null} account
 * @param {string[]} [parents] folders to try, in order
 * @returns {string}
 * @throws {SetupError} when the folder exists and is not ours
 */
export function prepareSocketFolder(cluster, account, parents = [os.tmpdir(), '/tmp']) {
  const name = `sandpiper-${crypto.createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
  const parent = parents.find(
    (each) =>
      Buffer.byteLength(path.join(each, name, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES_MAX &&
      canReach(each, account),
  )
  if (!parent) throw new SetupError(`no temporary folder is short enough for a socket: ${parents.join(', ')}`)
  const folder = path.join(parent, name)
  const owner = account?.uid ?? process.getuid?.() ?? 0
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  }
  // Root may have been killed between making the folder and giving it away.
  const owners = account ? [owner, 0] : [owner]
  if (!isPrivateFolder(fs.lstatSync(folder), owners))
    throw new SetupError(
      `${folder} exists but is not a private folder of ${account?.name ?? 'yours'}; ` +
        'remove it (or point TMPDIR elsewhere) and start again',
    )
  if (account) fs.chownSync(folder, account.uid, account.gid)
  return folder
}

/**
 * Whether a folder is one of these owners' and closed to everybody else.
 * @param {Pick<fs.Stats, 'isDirectory' | 'uid' | 'mode'>} found
 * @param {number[]} owners user ids
 */
export function isPrivateFolder(found, owners) {
  return found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o077) === 0
}
