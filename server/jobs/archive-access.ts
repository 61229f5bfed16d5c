import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: old months of the record of access go to object storage, with LOG_ARCHIVE_URL. */
export const archiveAccess = defineTask({
  name: 'archive-access',
  long: true,
  payload: z.unknown(),
  every: '13 4 * * *',
  async run({ accessArchive }) {
    await accessArchive.archiveMonths()
  },
})
