import { z } from 'zod'
import { defineTask } from './task.ts'

/** Resets, saves or restores a sandbox. Killed in the middle, it begins again beside the data that is served. */
export const changeSandbox = defineTask({
  name: 'change-sandbox',
  long: true,
  payload: z.object({ changeId: z.uuid() }),
  run: ({ sandbox }, { changeId }) => sandbox.runs.run(changeId),
})
