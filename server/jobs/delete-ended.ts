import { z } from 'zod'
import { defineTask } from './task.ts'

const outboxDays = 30

/** Tick: sessions, links, counters, authorize requests and tokens that are over, and mails older than 30 days. */
export const deleteEnded = defineTask({
  name: 'delete-ended',
  payload: z.unknown(),
  every: '17 * * * *',
  async run({ accounts, mail, tokens, pendingAuthorizations }, _, { now }) {
    await accounts.deleteEnded(now)
    await tokens.deleteExpired(now)
    await pendingAuthorizations.deleteExpired(now)
    await mail.deleteOld(new Date(now.getTime() - outboxDays * 86_400_000))
  },
})
