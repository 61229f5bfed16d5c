/** A thread that makes people's records as text; see `parallel-batches`. */
import { parentPort } from 'node:worker_threads'
import type { DocumentFile } from './documents/files.ts'
import { peopleBatches, type RecordOptions } from './practice-records.ts'
import { getPractice } from './practices.ts'

export interface BatchRequest {
  readonly slug: string
  readonly options: RecordOptions
  /** Places in the practice. */
  readonly from: number
  readonly until: number
}

/** What belongs together, as lines of JSON. */
export interface TextBatch {
  readonly lines: readonly { readonly type: string; readonly text: string }[]
  readonly files: readonly DocumentFile[]
}

parentPort?.on('message', ({ slug, options, from, until }: BatchRequest) => {
  const batches = [...peopleBatches(getPractice(slug), options, from, until)].map(
    ({ resources, files }): TextBatch => ({
      lines: resources.map((each) => ({ type: each.resourceType, text: JSON.stringify(each) })),
      files,
    }),
  )
  parentPort?.postMessage(batches)
})
