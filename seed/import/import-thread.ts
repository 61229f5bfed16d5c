/** A thread that reads resources and makes them ready for the store; see `threads`. */
import { parentPort } from 'node:worker_threads'
import { readBatch } from './parse-source.ts'
import { ImportError } from './report.ts'
import { createRowsMaker } from './rows-batch.ts'
import type { Answer, Question } from './threads.ts'

const work: Record<string, (...parts: never[]) => unknown> = { read: readBatch, ...createRowsMaker() }

parentPort?.on('message', ({ step, parts }: Question) => {
  parentPort?.postMessage(answer(step, parts))
})

function answer(step: string, parts: readonly unknown[]): Answer {
  try {
    return { result: work[step]?.(...(parts as never[])) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { failure: { message, isKnown: error instanceof ImportError } }
  }
}
