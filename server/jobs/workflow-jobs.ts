import { z } from 'zod'
import { defineTask, defineTick } from './task.ts'

/** Tick: whatever is due for a registration, a key request or an agreement, the oldest first. */
export const tickWorkflows = defineTick({
  name: 'tick-workflows',
  every: '* * * * *',
  async run({ registrations, productionKeys, agreements, keys }, now) {
    // Agreements first: keys stand on them. A fault in one stops none of the others.
    const outcomes = [
      await settled(agreements.tick(now)),
      await settled(productionKeys.tick(now)),
      await settled(registrations.tick(now)),
      await settled(keys.tick(now)),
    ]
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  },
})

async function settled(work: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [outcome] = await Promise.allSettled([work])
  return outcome
}

/** Puts in place what was approved, and asks the authorization server whether it takes it. */
export const enableRegistration = defineTask({
  name: 'enable-registration',
  payload: z.object({ registrationId: z.uuid() }),
  run: ({ registrations }, { registrationId }) => registrations.enable(registrationId),
})

/** Checks a key request, provides the organization's sandbox practice and sends the claim link. */
export const provisionSandboxKey = defineTask({
  name: 'provision-sandbox-key',
  payload: z.object({
    requestId: z.uuid(),
    /** Of the request that queued the job; jobs of earlier releases have none. */
    correlationId: z.string().optional(),
  }),
  run: ({ keys }, { requestId, correlationId }) => keys.provision(requestId, correlationId),
})

/** Tick: keys that end soon, and keys that have ended. */
export const remindOfExpiry = defineTick({
  name: 'remind-of-expiry',
  every: '*/5 * * * *',
  run: ({ keys }, now) => keys.remindOfExpiry(now),
})

/** Tick: invitations whose seven days are over. */
export const expireInvitations = defineTick({
  name: 'expire-invitations',
  every: '* * * * *',
  run: ({ organizations }, now) => organizations.expireInvitations(now),
})

/** Tick: accounts whose address was not confirmed within seven days. */
export const purgeUnverified = defineTick({
  name: 'purge-unverified',
  every: '7 * * * *',
  run: ({ accounts }, now) => accounts.purgeUnverified(now),
})

/** Tick: the reviewers' email of the day. */
export const sendReviewDigest = defineTick({
  name: 'send-review-digest',
  every: '* * * * *',
  run: ({ registrations }, now) => registrations.sendDigest(now),
})

/** Tick: emails to the organizations that call what ends. */
export const notifyOfDeprecation = defineTick({
  name: 'notify-of-deprecation',
  long: true,
  every: '23 14 * * *',
  run: ({ deprecationNotices }, now) => deprecationNotices.notifyCallers(now),
})
