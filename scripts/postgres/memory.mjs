import os from 'node:os'

const MEGABYTE = 1024 * 1024

/**
 * Memory of this machine or, where it is less, of the container.
 * @returns {number} bytes
 */
export function machineMemory() {
  // Without a limit it is 0 or larger than any machine.
  const limit = process.constrainedMemory?.() ?? 0
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem()
}

/**
 * What PostgreSQL keeps in memory of its own. Pages that are not in it are copied from the system's cache, which made a
 * page of a chart cost 14 % more in a practice of a million resources. An eighth, because Node runs on the same machine.
 * @param {number} bytes of memory
 * @returns {string} a setting
 */
export function sharedBuffers(bytes) {
  const megabytes = Math.floor(bytes / 8 / MEGABYTE)
  return `shared_buffers=${Math.min(Math.max(megabytes, 64), 1024)}MB`
}
