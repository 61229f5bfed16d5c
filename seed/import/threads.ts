/** The threads that parse, check and index what an import reads: the same functions as without any. */
import { openThread } from '../ask-thread.ts'
import { readBatch } from './parse-source.ts'
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
  const threads = Array.from({ length: count }, askThread)
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

function askThread(): ImportThread & { readonly end: () => Promise<number> } {
  const { ask, end } = openThread<Question, Answer>('seed/import/import-thread.ts')
  const step =
    (name: keyof ImportThread) =>
    async (...parts: unknown[]): Promise<never> => {
      const answer = await ask({ step: name, parts })
      if ('result' in answer) return answer.result as never
      const { message, isKnown } = answer.failure
      throw isKnown ? new ImportError(message) : new Error(message)
    }
  return { read: step('read'), open: step('open'), follow: step('follow'), make: step('make'), end }
}
