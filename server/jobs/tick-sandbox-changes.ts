import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: changes of sandboxes that have fallen silent are taken up again. */
export const tickSandboxChanges = defineTask({
  name: 'tick-sandbox-changes',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ sandbox }, _, { now }) => sandbox.changes.sweep(now),
})
