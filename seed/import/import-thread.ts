/** A worker thread that parses resources and prepares them for the store (threads.ts). */
import { parentPort } from 'node:worker_threads'
import { ImportError } from './report.ts'
import { createSteps } from './rows-batch.ts'
import type { Answer, Question } from './threads.ts'

const steps: Record<string, (...parts: never[]) => unknown> = createSteps()

parentPort?.on('message', ({ step, parts }: Question) => {
  parentPort?.postMessage(answer(step, parts))
})

function answer(step: string, parts: readonly unknown[]): Answer {
  try {
    return { result: steps[step]?.(...(parts as never[])) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { failure: { message, isKnown: error instanceof ImportError } }
  }
}
