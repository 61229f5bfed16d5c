import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: copies of the template that a killed provisioning left behind. */
export const deleteUnusedCopies = defineTask({
  name: 'delete-unused-copies',
  long: true,
  payload: z.unknown(),
  every: '27 * * * *',
  run: ({ sandboxes }, _, { now }) => sandboxes.deleteUnusedCopies(new Date(now.getTime() - 3_600_000)),
})
