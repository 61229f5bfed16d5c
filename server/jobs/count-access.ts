import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: what keys and apps did on days that are over, and alerts of what is unusual about them or about today. */
export const countAccess = defineTask({
  name: 'count-access',
  long: true,
  payload: z.unknown(),
  every: '*/15 * * * *',
  async run({ accessUse, accessAlerts }, _, { now }) {
    await accessUse.keepDays()
    await accessAlerts.raiseAlerts()
    await accessUse.forgetDays(now)
  },
})
