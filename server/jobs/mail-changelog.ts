import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: new days of the changelog, by email to those who asked for them. */
export const mailChangelog = defineTask({
  name: 'mail-changelog',
  payload: z.unknown(),
  every: '*/10 * * * *',
  run: ({ status }, _, { now }) => status.mailChangelog(now),
})
