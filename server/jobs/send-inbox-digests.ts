import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: each person's inbox of the day, by email. */
export const sendInboxDigests = defineTask({
  name: 'send-inbox-digests',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ inbox }, _, { now }) => inbox.sendDigests(now),
})
