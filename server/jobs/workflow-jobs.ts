import { z } from 'zod'
import { defineTask, defineTick } from './task.ts'

/** Tick: makes the steps of workflows that are due by time. */
export const tickWorkflows = defineTick({
  name: 'tick-workflows',
  every: '* * * * *',
  async run({ registrations, productionKeys, agreements, keys }, now) {
    // Agreements come first, because keys depend on them. A failure of one does not stop the others.
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

/** Applies an approved registration, and probes it at the authorization server. */
export const enableRegistration = defineTask({
  name: 'enable-registration',
  payload: z.object({ registrationId: z.uuid() }),
  run: ({ registrations }, { registrationId }) => registrations.enable(registrationId),
})

/** Checks a key request, creates the organization's sandbox practice and sends the claim link. */
export const provisionSandboxKey = defineTask({
  name: 'provision-sandbox-key',
  payload: z.object({
    requestId: z.uuid(),
    /** The id of the request that queued the job; jobs of earlier releases have none. */
    correlationId: z.string().optional(),
  }),
  run: ({ keys }, { requestId, correlationId }) => keys.provision(requestId, correlationId),
})

/** Tick: emails about keys that expire soon or have expired. */
export const remindOfExpiry = defineTick({
  name: 'remind-of-expiry',
  every: '*/5 * * * *',
  run: ({ keys }, now) => keys.remindOfExpiry(now),
})

/** Tick: expires invitations after seven days. */
export const expireInvitations = defineTick({
  name: 'expire-invitations',
  every: '* * * * *',
  run: ({ organizations }, now) => organizations.expireInvitations(now),
})

/** Tick: deletes accounts whose address was not confirmed within seven days. */
export const purgeUnverified = defineTick({
  name: 'purge-unverified',
  every: '7 * * * *',
  run: ({ accounts }, now) => accounts.purgeUnverified(now),
})

/** Tick: sends the reviewers' daily email. */
export const sendReviewDigest = defineTick({
  name: 'send-review-digest',
  every: '* * * * *',
  run: ({ registrations }, now) => registrations.sendDigest(now),
})

/** Tick: emails organizations that call a deprecated operation. */
export const notifyOfDeprecation = defineTick({
  name: 'notify-of-deprecation',
  long: true,
  every: '23 14 * * *',
  run: ({ deprecationNotices }, now) => deprecationNotices.notifyCallers(now),
})
