import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: whatever is due for a registration, a key request or an agreement, the oldest first. */
export const tickWorkflows = defineTask({
  name: 'tick-workflows',
  payload: z.unknown(),
  every: '* * * * *',
  async run({ registrations, productionKeys, agreements, keys, keyAccess }, _, { now }) {
    // Agreements first: keys stand on them. A fault in one stops none of the others.
    const outcomes = [
      await settled(agreements.tick(now)),
      await settled(productionKeys.tick(now)),
      await settled(registrations.tick(now)),
      await settled(keys.tick(now)),
      await settled(keyAccess.announceAgreed(now)),
    ]
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  },
})

async function settled(work: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [outcome] = await Promise.allSettled([work])
  return outcome
}
