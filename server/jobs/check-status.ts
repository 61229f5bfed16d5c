import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick, twice a minute: what is over of what people set ends, and a round of checks for the Status API. */
export const checkStatus = defineTask({
  name: 'check-status',
  payload: z.looseObject({ half: z.boolean().optional() }),
  every: '* * * * *',
  async run({ status, probes }, { half }, { now }) {
    if (!half) await status.checkAgain()
    await status.tick(now)
    await probes.run()
  },
})
