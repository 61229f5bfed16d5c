import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: mails that are due but have no job get one. */
export const sweepOutbox = defineTask({
  name: 'sweep-outbox',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ mail }, _, { now }) => mail.sweep(now),
})
