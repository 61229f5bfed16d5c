import { z } from 'zod'
import { defineTask } from './task.ts'

/** Ends before the next minute's run begins. */
const withinMs = 50_000
/** Small, so that a request that waits for one of its rows hardly notices. */
const batchSize = 100

/** Tick: search rows made by a release that knew another registry. Cut off, the next minute goes on with what is left. */
export const reindex = defineTask({
  name: 'reindex',
  long: true,
  payload: z.unknown(),
  every: '* * * * *',
  async run({ store, log }) {
    const { renewed, refused } = await store.reindex({ withinMs, batchSize })
    if (renewed > 0) log.info({ resources: renewed }, 'search rows were made again for this release')
    if (refused.length > 0)
      log.error({ resources: refused.length }, 'resources cannot be indexed by the registry of this release')
  },
})
