/** The file of bad lines, as NDJSON. */
import { closeSync, fchmodSync, openSync, unlinkSync, writeSync } from 'node:fs'
import type { Rejected } from './report.ts'

const bufferLength = 65_536

/**
 * Opened at once, so that an import does not begin that could not say what it refused; an empty one is removed.
 * Written without waiting, so that memory does not grow with the number of bad lines.
 * @throws the system's error when it cannot be written
 */
export function createRejectsFile(path: string) {
  const file = openSync(path, 'w', 0o600)
  // One of an earlier import may be there. A bad line's reason may quote it.
  fchmodSync(file, 0o600)
  let buffer = ''
  let count = 0
  const flush = () => {
    if (buffer !== '') writeSync(file, buffer)
    buffer = ''
  }
  return {
    count: () => count,
    write(rejected: Rejected): void {
      buffer += `${JSON.stringify(rejected)}\n`
      count += 1
      if (buffer.length > bufferLength) flush()
    },
    close(): void {
      flush()
      closeSync(file)
      if (count === 0) unlinkSync(path)
    },
  }
}
