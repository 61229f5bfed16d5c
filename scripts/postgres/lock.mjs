import crypto from 'node:crypto'
import fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { SetupError } from '../setup-error.mjs'
import { processIdentity } from './processes.mjs'

/**
 * Runs `work` while holding a lock between processes. A holder that was killed loses the lock at once.
 * @template T
 * @param {string} file path of the lock file; its folder must exist
 * @param {() => Promise<T>} work
 * @param {{ waitMs?: number }} [options] how long to wait for another holder; 120,000 ms by default
 * @returns {Promise<T>}
 * @throws {SetupError} when another live process keeps the lock longer than that
 */
export async function withLock(file, work, { waitMs = 120_000 } = {}) {
  await acquire(file, Date.now() + waitMs)
  try {
    return await work()
  } finally {
    fs.rmSync(file, { force: true })
  }
}

/**
 * @param {string} file
 * @param {number} deadline epoch milliseconds
 */
async function acquire(file, deadline) {
  const nonce = crypto.randomUUID()
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid), nonce })
  // A hard link appears whole or not at all, so no one ever reads a half-written lock.
  const draft = `${file}.${nonce}`
  fs.writeFileSync(draft, mine)
  try {
    for (;;) {
      try {
        fs.linkSync(draft, file)
        return
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      }
      const holder = readHolder(file)
      if (holder && processIdentity(holder.pid) !== holder.identity) {
        await breakStale(file, holder.nonce, deadline)
      } else if (holder) {
        if (Date.now() > deadline)
          throw new SetupError(`process ${holder.pid} holds ${file}; stop that process and start again`)
        await delay(20)
      }
    }
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/**
 * Two processes may find the same dead holder; without the inner lock the slower one would remove the
 * lock that the faster one has just taken. The inner lock is named by the dead holder, so it can never
 * stand for a living one.
 * @param {string} file
 * @param {string} nonce of the dead holder
 * @param {number} deadline epoch milliseconds
 */
async function breakStale(file, nonce, deadline) {
  const inner = `${file}.broken-${nonce.slice(0, 8)}`
  await acquire(inner, deadline)
  try {
    if (readHolder(file)?.nonce === nonce) fs.rmSync(file, { force: true })
  } finally {
    fs.rmSync(inner, { force: true })
  }
}

/**
 * @param {string} file
 * @returns {{ pid: number, identity: string | null, nonce: string } | null}
 */
function readHolder(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null
    throw error
  }
}
