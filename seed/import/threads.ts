/** The threads that parse, check and index what an import reads: the same functions as without any. */
import { startThread } from '../../server/threads.ts'
import { readBatch } from './read-batch.ts'
import { ImportError } from './report.ts'
import { createRowsMaker } from './rows-batch.ts'

type RowsMaker = ReturnType<typeof createRowsMaker>
type Asked<Step extends (...parts: never[]) => unknown> = (
  ...parts: Parameters<Step>
) => Promise<ReturnType<Step>>

interface ImportThread {
  readonly read: Asked<typeof readBatch>
  readonly open: Asked<RowsMaker['open']>
  readonly follow: Asked<RowsMaker['follow']>
  readonly make: Asked<RowsMaker['make']>
}

export interface Question {
  readonly step: keyof ImportThread
  readonly parts: readonly unknown[]
}

export type Answer =
  | { readonly result: unknown }
  | { readonly failure: { readonly message: string; readonly isKnown: boolean } }

export interface ImportThreads {
  /** How many batches may be under way before the first of them is awaited. */
  readonly ahead: number
  /** By turns. */
  readonly next: () => ImportThread
  /** A number for a batch that a thread keeps between its steps. */
  readonly nextBatch: () => number
  readonly end: () => Promise<void>
}

/** @param count with none, this thread does the work itself */
export function openThreads(count: number): ImportThreads {
  const threads = Array.from({ length: count }, openThread)
  const own = ownThread()
  let turn = 0
  let batch = 0
  return {
    ahead: count === 0 ? 0 : count + 1,
    next: () => {
      turn += 1
      return threads[turn % threads.length] ?? own
    },
    nextBatch: () => {
      batch += 1
      return batch
    },
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

function ownThread(): ImportThread {
  const { open, follow, make } = createRowsMaker()
  return {
    read: async (...parts) => readBatch(...parts),
    open: async (...parts) => open(...parts),
    follow: async (...parts) => follow(...parts),
    make: async (...parts) => make(...parts),
  }
}

function openThread(): ImportThread & { readonly end: () => Promise<number> } {
  const worker = startThread('seed/import/import-thread.ts')
  const waiting: { resolve: (result: unknown) => void; reject: (error: unknown) => void }[] = []
  let ended: Error | null = null
  const fail = (error: Error) => {
    ended ??= error
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  // It answers in the order in which it is asked.
  worker.on('message', (answer: Answer) => {
    const asker = waiting.shift()
    if ('result' in answer) asker?.resolve(answer.result)
    else {
      const { message, isKnown } = answer.failure
      asker?.reject(isKnown ? new ImportError(message) : new Error(message))
    }
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`a thread of the import ended with code ${code}`)))
  const ask = (step: keyof ImportThread, parts: readonly unknown[]) =>
    new Promise<never>((resolve, reject) => {
      if (ended) return reject(ended)
      waiting.push({ resolve: resolve as (result: unknown) => void, reject })
      worker.postMessage({ step, parts } satisfies Question)
    })
  return {
    read: (...parts) => ask('read', parts),
    open: (...parts) => ask('open', parts),
    follow: (...parts) => ask('follow', parts),
    make: (...parts) => ask('make', parts),
    end: () => worker.terminate(),
  }
}
