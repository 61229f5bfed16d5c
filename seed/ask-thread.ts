/** A worker thread that answers one question after the other, in the order in which it is asked. */
import { startThread } from '../server/threads.ts'

/** @param file its source, from the root of the project */
export function openThread<Question, Answer>(file: string) {
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
