/** Seals the audit rows of the portal every few seconds while the process runs. */
import type { Logger } from 'pino'
import type { Sealer } from './sealer.ts'

const everyMs = 5_000

export function startSealing({ sealer, log }: { sealer: Sealer; log: Pick<Logger, 'error'> }) {
  let running: Promise<void> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = round().finally(() => {
      busy = false
    })
  }, everyMs)

  async function round(): Promise<void> {
    try {
      await sealer.seal()
      await sealer.writeHead()
    } catch (error) {
      // What is not sealed now is sealed by the next round.
      log.error({ error: (error as Error).name }, 'audit rows could not be sealed')
    }
  }

  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
