import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: bytes of documents without a reference, and objects that an interrupted upload, move or sweep left in the bucket. */
export const sweepDocuments = defineTask({
  name: 'sweep-documents',
  long: true,
  payload: z.unknown(),
  every: '12 4 * * *',
  async run({ log, store: { documents } }) {
    const contents = await documents.sweep()
    const objects = await documents.sweepObjects()
    if (contents + objects > 0) log.info({ contents, objects }, 'unused documents were removed')
  },
})
