/** Whether the platform and a practice are up: what the Status API, its checks, its page and operations need. */
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
  /** Tick: what is older than what is shown, and requests for mails that no one confirmed. */
  forgetOld: async (core: Core, now: Date) => {
    await forgetOldHistory(core, now)
    await forgetUnconfirmed(core, now)
  },
  /** For a server that has just begun: a round as soon as a worker is free, not at the next whole minute. */
  checkAtOnce: ({ prisma, jobs }: Core) =>
    prisma.$transaction((tx) =>
      jobs.add(tx, 'check-status', { half: true }, { jobKey: 'check-status:begin', maxAttempts: 1 }),
    ),
  /** Cron knows whole minutes; the other half of each is a job of its own. */
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

/** Keeps what was read last: every server process has one. */
export function createStatus(core: Core) {
  const board = createStatusBoard(core)
  return {
    ...withCore(core, verbs),
    platform: async () => toPlatformStatus(core.env, await board.read()),
    practice: createPracticeStatus({ ...core, board }),
    /** What the status page shows, read at most every 30 seconds. */
    page: createStatusPage(core, board),
  }
}

export type Status = ReturnType<typeof createStatus>
