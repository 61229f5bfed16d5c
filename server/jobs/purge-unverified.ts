import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: accounts whose address nobody confirmed within seven days. */
export const purgeUnverified = defineTask({
  name: 'purge-unverified',
  payload: z.unknown(),
  every: '7 * * * *',
  run: ({ accounts }, _, { now }) => accounts.purgeUnverified(now),
})
