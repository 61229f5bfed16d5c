/** The child process of an export run. It reads its order from standard input and writes messages to standard output. */

import { openStorage } from '../../domain/bulk-exports/export-storage.ts'
import { type RunMessage, runOrder } from '../../domain/bulk-exports/export-types.ts'
import { writeExport } from './write-export.ts'

const sayEveryMs = 200
let saidAt = 0

function say(message: RunMessage): void {
  const now = performance.now()
  if (now - saidAt < sayEveryMs) return
  saidAt = now
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

let begun = false
let text = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  text += chunk
  const at = text.indexOf('\n')
  if (begun || at < 0) return
  begun = true
  void run(text.slice(0, at))
})
// The parent process is gone, so no one would hear of the result.
process.stdin.on('end', () => process.exit(1))
process.stdin.on('error', () => process.exit(1))

async function run(line: string): Promise<void> {
  try {
    const order = runOrder.parse(JSON.parse(line))
    finish(await writeExport(order, openStorage(order.storage), say))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // An error message of the database may quote a record; its code does not.
    const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
    finish({ kind: 'failed', reason: full ? 'disk_full' : 'fault', detail: code ?? message })
  }
}

function finish(message: RunMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`, () => process.exit(0))
}
