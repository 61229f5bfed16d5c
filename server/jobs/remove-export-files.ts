import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: files of exports whose links are over, or which were cancelled. */
export const removeExportFiles = defineTask({
  name: 'remove-export-files',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ exportRuns }, _, { now }) => exportRuns.removeOver(now),
})
