/** The status of the platform and of practices, for the Status API, the checks, the page and operations. */
import { checkEverySeconds } from '../../contract/status/components.ts'
import { type Core, withCore } from '../core.ts'
import { saveChecks } from './check-results.ts'
import { findIncident, getIncident, listIncidents } from './incident-views.ts'
import {
  beginDueMaintenance,
  editIncidentUpdate,
  openIncident,
  updateIncident,
  writePostMortem,
} from './incidents.ts'
import { tellSubscribers } from './notices.ts'
import { createPracticeStatus, lookUp, toPlatformStatus } from './practice-status.ts'
import { createStatusBoard } from './status-board.ts'
import { forgetOldHistory } from './status-history.ts'
import { createStatusPage } from './status-page.ts'
import {
  changeSubscription,
  confirmSubscription,
  endSubscription,
  findConfirmation,
  findSubscription,
  forgetUnconfirmed,
  resealSubscriptions,
  subscribe,
} from './subscriptions.ts'

const verbs = {
  changeSubscription,
  confirmSubscription,
  editIncidentUpdate,
  endSubscription,
  findConfirmation,
  findIncident,
  findSubscription,
  getIncident,
  listIncidents,
  lookUp,
  openIncident,
  resealSubscriptions,
  saveChecks,
  subscribe,
  tellSubscribers,
  updateIncident,
  writePostMortem,
  beginDueMaintenance,
  /** The tick: deletes old history and unconfirmed subscriptions. */
  forgetOld: async (core: Core, now: Date) => {
    await forgetOldHistory(core, now)
    await forgetUnconfirmed(core, now)
  },
  /** Starts a round of checks as soon as a worker is free; for a server that has just started. */
  checkAtOnce: ({ prisma, jobs }: Core) =>
    prisma.$transaction((tx) =>
      jobs.add(tx, 'check-status', { half: true }, { jobKey: 'check-status:begin', maxAttempts: 1 }),
    ),
  /** Adds the round in the middle of a minute, because cron only has full minutes. */
  checkAgain: ({ prisma, jobs }: Core) =>
    prisma.$transaction((tx) =>
      jobs.add(
        tx,
        'check-status',
        { half: true },
        { jobKey: 'check-status:half', delaySeconds: checkEverySeconds, maxAttempts: 1 },
      ),
    ),
}

/** Each server process has one, which caches the last read. */
export function createStatus(core: Core) {
  const board = createStatusBoard(core)
  return {
    ...withCore(core, verbs),
    platform: async () => toPlatformStatus(core.env, await board.read()),
    practice: createPracticeStatus({ ...core, board }),
    /** The status page's snapshot, read at most every 30 seconds. */
    page: createStatusPage(core, board),
  }
}

export type Status = ReturnType<typeof createStatus>
