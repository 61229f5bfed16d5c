/** Seals the audit rows of the portal every few seconds and signs a head every minute, while the process runs. */
import type { Logger } from 'pino'
import type { Sealer } from './sealer.ts'

const sealEveryMs = 5_000
const headEveryMs = 5_000

type Options = {
  sealer: Pick<Sealer, 'seal' | 'writeHead'>
  log: Pick<Logger, 'error'>
}

export function startSealing({ sealer, log }: Options) {
  // Apart from each other: a head folder on a network that hangs must not stop the sealing.
  const sealing = repeat(sealEveryMs, sealer.seal, (err) =>
    log.error({ err }, 'audit rows could not be sealed'),
  )
  const heads = repeat(headEveryMs, sealer.writeHead, (err) =>
    log.error({ err }, 'the head of the audit chain could not be written'),
  )

  return {
    /** Seals and covers what is there, so that a server that is stopped leaves nothing unproven. */
    async stop(): Promise<void> {
      await Promise.all([sealing.stop(), heads.stop()])
      try {
        await sealer.seal()
        await sealer.writeHead({ now: true })
      } catch (err) {
        log.error({ err }, 'the last audit rows could not be sealed')
      }
    },
  }
}

function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let running: Promise<void> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    // What failed is done by the next round.
    running = work()
      .then(() => {}, onError)
      .finally(() => {
        busy = false
      })
  }, everyMs)
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
