import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: ends of terms and of notices, reminders, what is silent too long. */
export const tickAgreements = defineTask({
  name: 'tick-agreements',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ agreements }, _, { now }) => agreements.tick(now),
})
