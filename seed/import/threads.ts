/** The worker threads that parse, check and index resources of an import. */
import { startThread } from '../../server/threads.ts'
import { ImportError } from './report.ts'
import { createSteps, type Steps } from './rows-batch.ts'

type StepName = keyof Steps
type ImportThread = {
  readonly [Name in StepName]: (...parts: Parameters<Steps[Name]>) => Promise<ReturnType<Steps[Name]>>
}

export interface Question {
  readonly step: StepName
  readonly parts: readonly unknown[]
}

export type Answer =
  | { readonly result: unknown }
  | { readonly failure: { readonly message: string; readonly isKnown: boolean } }

export type ImportThreads = ReturnType<typeof openThreads>

/** @param count 0 runs the steps in this thread */
export function openThreads(count: number) {
  const threads = Array.from({ length: count }, () =>
    openThread<Question, Answer>('seed/import/import-thread.ts'),
  )
  const workers = threads.map(({ ask }) => threadOf(async (question) => resultOf(await ask(question))))
  const own = createSteps()
  const ownThread = threadOf(async ({ step, parts }) =>
    (own[step] as (...parts: unknown[]) => unknown)(...parts),
  )
  let turn = 0
  let batch = 0
  return {
    /** How many batches may be running before the first one is awaited. */
    ahead: count === 0 ? 0 : count + 1,
    /** The next thread in turn. */
    next: () => workers[turn++ % count] ?? ownThread,
    /** The number of a batch, which its thread stores between the steps. */
    nextBatch: () => batch++,
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

function threadOf(answer: (question: Question) => Promise<unknown>): ImportThread {
  const names: readonly StepName[] = ['read', 'open', 'follow', 'make']
  const steps = names.map((step) => [step, (...parts: unknown[]) => answer({ step, parts })])
  return Object.fromEntries(steps) as ImportThread
}

function resultOf(answer: Answer): unknown {
  if ('result' in answer) return answer.result
  const { message, isKnown } = answer.failure
  throw isKnown ? new ImportError(message) : new Error(message)
}

/** A worker thread that handles requests one after the other. @param file its source file, from the project's root */
function openThread<Question, Answer>(file: string) {
  const worker = startThread(file)
  const waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  let ended: Error | null = null
  const fail = (error: Error) => {
    ended ??= error
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('message', (answer: Answer) => waiting.shift()?.resolve(answer))
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`the thread of ${file} ended with code ${code}`)))
  return {
    ask: (question: Question) =>
      new Promise<Answer>((resolve, reject) => {
        if (ended) return reject(ended)
        waiting.push({ resolve, reject })
        worker.postMessage(question)
      }),
    end: () => worker.terminate(),
  }
}
