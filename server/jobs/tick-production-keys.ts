import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: keys held against what they stand on, invitations, questions, claims, ends, years. */
export const tickProductionKeys = defineTask({
  name: 'tick-production-keys',
  payload: z.unknown(),
  every: '* * * * *',
  async run({ productionKeys }, _, { now }) {
    await productionKeys.tick(now)
  },
})
