import { z } from 'zod'
import { defineTask } from './task.ts'

const outboxDays = 30

/** Tick: what is over of sessions, links, changes of address, counters, Idempotency-Keys, authorize requests and tokens; mails older than 30 days, and what the status page shows no more. */
export const deleteEnded = defineTask({
  name: 'delete-ended',
  payload: z.unknown(),
  every: '17 * * * *',
  async run({ accounts, mail, records, tokens, pendingAuthorizations, status }, _, { now }) {
    await accounts.deleteEnded(now)
    await accounts.forgetEndedChanges(now)
    await records.forgetOld(now)
    await tokens.deleteExpired(now)
    await pendingAuthorizations.deleteExpired(now)
    await status.forgetOld(now)
    await mail.deleteOld(new Date(now.getTime() - outboxDays * 86_400_000))
  },
})
