import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: probes that are due, reminders, lapses, escalations, and the digest of the day. */
export const tickRegistrations = defineTask({
  name: 'tick-registrations',
  payload: z.unknown(),
  every: '* * * * *',
  async run({ registrations }, _, { now }) {
    await registrations.sweepEnabling(now)
    await registrations.remindAndLapse(now)
    await registrations.escalate(now)
    await registrations.sendDigest(now)
  },
})
