import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: the explorer's keys and tokens whose session is over, and what people asked in it longer ago than it is kept. */
export const tidyExplorer = defineTask({
  name: 'tidy-explorer',
  payload: z.unknown(),
  every: '*/5 * * * *',
  async run({ explorerKeys, explorerTokens, explorerHistory }, _, { now }) {
    await explorerKeys.tidyKeys(now)
    await explorerTokens.tidyTokens(now)
    await explorerHistory.forgetOld(now)
  },
})
