import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: requests older than a year, and drafts of keys that nobody confirmed. */
export const forgetActivity = defineTask({
  name: 'forget-activity',
  payload: z.unknown(),
  every: '47 * * * *',
  async run({ activityLog, keys }, _, { now }) {
    await activityLog.forgetOld()
    await keys.forgetDrafts(now)
  },
})
