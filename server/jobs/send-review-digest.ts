import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: the reviewers' email of the day. */
export const sendReviewDigest = defineTask({
  name: 'send-review-digest',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ registrations }, _, { now }) => registrations.sendDigest(now),
})
