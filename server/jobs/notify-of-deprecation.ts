import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: emails to the organizations that call what ends. */
export const notifyOfDeprecation = defineTask({
  name: 'notify-of-deprecation',
  long: true,
  payload: z.unknown(),
  every: '23 14 * * *',
  run: ({ deprecationNotices }, _, { now }) => deprecationNotices.notifyCallers(now),
})
