/** `npm run seed -- --out DIR`: a practice as NDJSON, a file per type, and its documents' bytes, with no database. */

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../server/store/make-folder.ts'
import type { SeedProgress } from './options.ts'
import { textBatches } from './parallel-batches.ts'
import { peopleCount, type RecordOptions } from './practice-records.ts'
import type { PracticeRow } from './practices.ts'

/**
 * Streams patient by patient, so that memory does not grow with the practice. Files of an earlier run are replaced.
 * @param folder made when it is not there; holds `Patient.ndjson` … and `documents/`
 */
export async function writePractice(
  practice: PracticeRow,
  options: RecordOptions & {
    readonly jobs?: number
    readonly onProgress?: (done: SeedProgress) => void
  },
  folder: string,
) {
  const documentFolder = join(folder, 'documents')
  await makeFolder(documentFolder)
  const streams = new Map<string, WriteStream>()
  let resources = 0
  let documents = 0
  let batches = 0
  const expected = peopleCount(practice, options) + 1 // the practice before them
  for await (const batch of textBatches(practice, options, options.jobs)) {
    for (const { type, text } of batch.lines) {
      const stream = streams.get(type) ?? open(streams, folder, type)
      resources++
      if (!stream.write(`${text}\n`)) await once(stream, 'drain')
    }
    options.onProgress?.({ practice: practice.name, resources, share: ++batches / expected })
    for (const { documentId, bytes } of batch.files) {
      documents++
      await writeFile(join(documentFolder, documentId), bytes)
    }
  }
  for (const stream of streams.values()) {
    stream.end()
    await once(stream, 'finish')
  }
  return { resources, documents }
}

function open(streams: Map<string, WriteStream>, folder: string, type: string): WriteStream {
  const stream = createWriteStream(join(folder, `${type}.ndjson`))
  streams.set(type, stream)
  return stream
}
