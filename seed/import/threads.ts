/** The threads that parse, check and index what an import reads: the same steps as without any. */
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

/** @param count with none, this thread does the work itself */
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
    /** How many batches may be under way before the first of them is awaited. */
    ahead: count === 0 ? 0 : count + 1,
    /** By turns. */
    next: () => workers[turn++ % count] ?? ownThread,
    /** A number for a batch that a thread keeps between its steps. */
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

/** A worker thread that handles one request after the other. @param file its source, from the root of the project */
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
