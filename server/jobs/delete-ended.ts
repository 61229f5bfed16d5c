import { z } from 'zod'
import { defineTask } from './task.ts'

/** Of mails, and of jobs that ran out of attempts. */
const outboxDays = 30
/** Of simulated launches and faults, contract/portal/retention.ts. */
const labDays = 30
const dayMs = 86_400_000

/** Tick: what is over of sessions, links, changes of address, counters, days of capped keys, Idempotency-Keys, authorize requests and tokens; launches and faults of the laboratory, mails and jobs out of attempts, older than 30 days, snoozes, and what the status page shows no more. */
export const deleteEnded = defineTask({
  name: 'delete-ended',
  long: true,
  payload: z.unknown(),
  every: '17 * * * *',
  async run(
    {
      accounts,
      faultAdmin,
      inbox,
      keyCaps,
      launchLab,
      mail,
      openLaunches,
      operations,
      records,
      tokens,
      pendingAuthorizations,
      status,
    },
    _,
    { now },
  ) {
    await accounts.deleteEnded(now)
    await accounts.forgetEndedChanges(now)
    await records.forgetOld(now)
    await keyCaps.forgetOldDays(now)
    await tokens.deleteExpired(now)
    await pendingAuthorizations.deleteExpired(now)
    await status.forgetOld(now)
    await inbox.forgetSnoozes(now)
    const before = new Date(now.getTime() - labDays * dayMs)
    await launchLab.forgetOld(before)
    await faultAdmin.forgetOld(before)
    await openLaunches.forgetOpen(now)
    const monthAgo = new Date(now.getTime() - outboxDays * dayMs)
    await mail.deleteOld(monthAgo)
    await operations.jobs.deleteGivenUp(monthAgo)
  },
})
