/** The batches of a practice, made by several threads: the same ones in the same order as one thread makes. */
import type { Resource } from '../server/store/index-rows.ts'
import { startThread } from '../server/threads.ts'
import type { BatchRequest, TextBatch } from './batch-worker.ts'
import {
  openingBatch,
  peopleCount,
  practiceBatches,
  type RecordBatch,
  type RecordOptions,
} from './practice-records.ts'
import type { PracticeRow } from './practices.ts'

/** People made at one request: enough to make up for the way there and back. */
const peopleAtOnce = 8
/** Requests that lie with each thread, so that it never waits for this one. */
const requestsAhead = 2

/** Batches as resources. @param jobs threads; with one, this thread makes them itself */
export async function* recordBatches(
  practice: PracticeRow,
  options: RecordOptions,
  jobs = 1,
): AsyncGenerator<RecordBatch> {
  if (jobs === 1) {
    yield* practiceBatches(practice, options)
    return
  }
  for await (const { lines, files } of textBatches(practice, options, jobs)) {
    yield { resources: lines.map(({ text }) => JSON.parse(text) as Resource), files }
  }
}

/** Batches as lines of JSON. @param jobs threads; with one, this thread makes them itself */
export async function* textBatches(
  practice: PracticeRow,
  options: RecordOptions,
  jobs = 1,
): AsyncGenerator<TextBatch> {
  if (jobs === 1) {
    for (const batch of practiceBatches(practice, options)) yield asText(batch)
    return
  }
  yield asText(openingBatch(practice, options))
  yield* peopleByThreads(practice, options, jobs)
}

function asText({ resources, files }: RecordBatch): TextBatch {
  return { lines: resources.map((each) => ({ type: each.resourceType, text: JSON.stringify(each) })), files }
}

async function* peopleByThreads(
  practice: PracticeRow,
  { seed, patients, asOf, longChart }: RecordOptions,
  jobs: number,
): AsyncGenerator<TextBatch> {
  const options = { seed, patients, asOf, longChart }
  const count = peopleCount(practice, options)
  const threads = Array.from({ length: Math.min(jobs, Math.ceil(count / peopleAtOnce)) }, () =>
    openThread<BatchRequest, TextBatch[]>('seed/batch-worker.ts'),
  )
  const answers: Promise<TextBatch[]>[] = []
  let place = 0
  const ask = () => {
    const thread = threads[(place / peopleAtOnce) % threads.length]
    if (place >= count || !thread) return
    const until = Math.min(place + peopleAtOnce, count)
    const answer = thread.ask({ slug: practice.slug, options, from: place, until })
    // Awaited in its turn; until then no one listens.
    answer.catch(() => {})
    answers.push(answer)
    place = until === count ? count : place + peopleAtOnce
  }
  try {
    for (let round = 0; round < threads.length * requestsAhead; round++) ask()
    for (let answer = answers.shift(); answer; answer = answers.shift()) {
      const batches = await answer
      ask()
      yield* batches
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.end()))
  }
}

// A worker thread that handles one request after the other, in order of arrival.

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
