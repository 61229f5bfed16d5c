import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: keys that end soon, and keys that have ended. */
export const remindOfExpiry = defineTask({
  name: 'remind-of-expiry',
  payload: z.unknown(),
  every: '*/5 * * * *',
  run: ({ keys }, _, { now }) => keys.remindOfExpiry(now),
})
