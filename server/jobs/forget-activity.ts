import { z } from 'zod'
import { defineTask } from './task.ts'

/**
 * Tick: what contract/portal/retention.ts says of the logs, and of drafts of keys that nobody confirmed. Months of the logs that are over go as a whole before single rows do.
 */
export const forgetActivity = defineTask({
  name: 'forget-activity',
  long: true,
  payload: z.unknown(),
  every: '47 * * * *',
  async run({ activityLog, accessLog, keys, log, logMonths }, _, { now }) {
    const changes = await logMonths.renew()
    if (changes.length > 0) log.info({ changes }, 'months of the logs were renewed')
    await activityLog.forgetOld()
    await keys.forgetDrafts(now)
    // Last: the object storage may be away.
    await accessLog.forgetOld()
  },
})
