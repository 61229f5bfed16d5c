import { defineTick } from './task.ts'

/** Tick: checks the audit chain from its first row on. The metrics and the operators' console report the result. */
export const checkAudit = defineTick({
  name: 'check-audit',
  long: true,
  every: '43 3 * * *',
  async run({ operations, log }) {
    const verdict = await operations.audit.checkChainDaily()
    if (!verdict.intact) log.error({ verdict }, 'the audit chain is broken')
  },
})

/** Tick: the audit chain takes up the rows of the record of access that came since the last time. */
export const sealAccess = defineTick({
  name: 'seal-access',
  long: true,
  every: '*/15 * * * *',
  run: ({ accessSeal }) => accessSeal.sealAccess(),
})

/** Tick: what keys and apps did on days that are over, and alerts of what is unusual about them or about today. */
export const countAccess = defineTick({
  name: 'count-access',
  long: true,
  every: '*/15 * * * *',
  async run({ accessUse, accessAlerts }, now) {
    await accessUse.keepDays()
    await accessAlerts.raiseAlerts()
    await accessUse.forgetDays(now)
  },
})

/**
 * Tick: what contract/portal/retention.ts says of the logs, and of drafts of keys that no one confirmed. Months of the logs that are over go as a whole before single rows do.
 */
export const forgetActivity = defineTick({
  name: 'forget-activity',
  long: true,
  every: '47 * * * *',
  async run({ activityLog, accessLog, keys, log, logMonths }, now) {
    const changes = await logMonths.renew()
    if (changes.length > 0) log.info({ changes }, 'months of the logs were renewed')
    await activityLog.forgetOld()
    await keys.forgetDrafts(now)
    await accessLog.forgetOld()
  },
})

/** Tick: compares which credentials are good with the records that decide it, mends what differs and reports it. */
export const checkCredentials = defineTick({
  name: 'check-credentials',
  long: true,
  every: '29 * * * *',
  async run({ operations, log }) {
    const found = await operations.credentialCheck.checkHourly()
    if (found.wrong > 0)
      log.error(found, 'credentials were not as the records say; they are now, and a cause has to be found')
  },
})

/** Of mails, and of jobs that ran out of attempts. */
const outboxDays = 30
/** Of simulated launches and faults, contract/portal/retention.ts. */
const labDays = 30
const dayMs = 86_400_000

/** Tick: what is over of sessions, links, changes of address, counters, days of capped keys, Idempotency-Keys, authorize requests and tokens; launches and faults of the laboratory, mails and jobs out of attempts, older than 30 days and what the status page shows no more. */
export const deleteEnded = defineTick({
  name: 'delete-ended',
  long: true,
  every: '17 * * * *',
  async run(services, now) {
    await services.accounts.deleteEnded(now)
    await services.accounts.forgetEndedChanges(now)
    await services.records.forgetOld(now)
    await services.keyCaps.forgetOldDays(now)
    await services.tokens.deleteExpired(now)
    await services.pendingAuthorizations.deleteExpired(now)
    await services.status.forgetOld(now)
    const before = new Date(now.getTime() - labDays * dayMs)
    await services.launchLab.forgetOld(before)
    await services.faultAdmin.forgetOld(before)
    await services.openLaunches.forgetOpen(now)
    const monthAgo = new Date(now.getTime() - outboxDays * dayMs)
    await services.mail.deleteOld(monthAgo)
    await services.operations.jobs.deleteGivenUp(monthAgo)
  },
})
