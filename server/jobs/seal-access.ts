import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: the audit chain takes up the rows of the record of access that came since the last time. */
export const sealAccess = defineTask({
  name: 'seal-access',
  long: true,
  payload: z.unknown(),
  every: '*/15 * * * *',
  async run({ accessSeal }) {
    await accessSeal.sealAccess()
  },
})
