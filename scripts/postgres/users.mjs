import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
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
