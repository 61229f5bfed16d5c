/** Starts clients, each a process of its own, and gives them their orders. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '../scripts/setup/folders.mjs'
import type { Load, Order } from './load.mjs'

export type { Load, Order }

export type Client = {
  run(order: Order): Promise<Load>
  stop(): Promise<void>
}

export function startClient(): Client {
  const child = fork(join(ROOT, 'bench/load.mjs'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  })
  const closed = once(child, 'exit')
  let orders = 0
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        const id = ++orders
        const onMessage = (message: { id: number; load?: Load; error?: string }) => {
          if (message.id !== id) return
          child.off('message', onMessage).off('exit', onClose)
          if (message.load) resolve(message.load)
          else reject(new Error(message.error))
        }
        const onClose = () => reject(new Error('the client ended'))
        child.on('message', onMessage).once('exit', onClose)
        child.send({ id, order })
      }),
    async stop() {
      if (child.connected) child.disconnect()
      await closed
    },
  }
}

/**
 * @returns how many requests were answered
 * @throws Error when any answer is not 2xx: a refusal is quick, and would make a fine figure
 */
export function countAnswered({ statuses, failed }: Load, path: string): number {
  const all = Object.entries(statuses)
  const answered = all.reduce((sum, [status, count]) => sum + (status.startsWith('2') ? count : 0), 0)
  if (failed > 0 || answered === 0 || all.some(([status]) => !status.startsWith('2')))
    throw new Error(`${path} answered ${JSON.stringify(statuses)}, and ${failed} connections failed`)
  return answered
}
