import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: what contract/portal/retention.ts says of the logs, of feedback on the documentation, and of drafts of keys that nobody confirmed. */
export const forgetActivity = defineTask({
  name: 'forget-activity',
  long: true,
  payload: z.unknown(),
  every: '47 * * * *',
  async run({ activityLog, accessLog, docsFeedback, keys }, _, { now }) {
    await activityLog.forgetOld()
    await accessLog.forgetOld()
    await keys.forgetDrafts(now)
    await docsFeedback.forgetOld(now)
  },
})
