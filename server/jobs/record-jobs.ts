import { defineTick } from './task.ts'

/** Tick: checks the complete audit chain. The metrics and the operators' console report the result. */
export const checkAudit = defineTick({
  name: 'check-audit',
  long: true,
  every: '43 3 * * *',
  async run({ operations, log }) {
    const verdict = await operations.audit.checkChainDaily()
    if (!verdict.intact) log.error({ verdict }, 'the audit chain is broken')
  },
})

/** Tick: seals the new rows of the access log in the audit chain. */
export const sealAccess = defineTick({
  name: 'seal-access',
  long: true,
  every: '*/15 * * * *',
  run: ({ accessSeal }) => accessSeal.sealAccess(),
})

/** Tick: counts the use of keys and apps, and raises alerts about unusual use. */
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

/** Tick: deletes old logs and drafts of keys (contract/portal/retention.ts): first whole months, then single rows. */
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

/** Tick: compares the table of live credentials with the records it is derived from, corrects and reports differences. */
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

/** Retention of emails, and of jobs that ran out of attempts. */
const outboxDays = 30
/** Retention of simulated launches and faults (contract/portal/retention.ts). */
const labDays = 30
const dayMs = 86_400_000

/** Tick: deletes rows that have ended or expired and are no longer needed. */
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
