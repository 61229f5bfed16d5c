/** Whether the platform and a practice are up: what the Status API, its checks, its page and operations need. */
import type { Logger } from 'pino'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { checkEverySeconds } from '../../contract/status/components.ts'
import type { Env } from '../../env.ts'
import type { Keyring } from '../../keyring.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Store } from '../../store/store.ts'
import type { Throttle } from '../accounts/throttle.ts'
import type { SmartAddresses } from '../grants/smart-addresses.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'
import { createCanary } from './canary.ts'
import { createForgetCanaries } from './canary-records.ts'
import { createCheckResults } from './check-results.ts'
import { createIncidentViews } from './incident-views.ts'
import { createIncidents } from './incidents.ts'
import { createLookUp, type LookUpDependencies } from './look-up.ts'
import { createNotices } from './notices.ts'
import { createOverrides } from './overrides.ts'
import { createPlatformStatus } from './platform-status.ts'
import { createPracticeStatus } from './practice-status.ts'
import { createProbeClient } from './probe-client.ts'
import { createProbeKey } from './probe-key.ts'
import { createStatusBoard } from './status-board.ts'
import { createStatusHistory } from './status-history.ts'
import { createStatusPage } from './status-page.ts'
import { createSubscriptions } from './subscriptions.ts'

type StatusDependencies = {
  prisma: PrismaClient
  clock: () => Date
  env: Env
  log: Pick<Logger, 'debug' | 'warn'>
  keyring: Keyring
  mail: Pick<Mail, 'enqueue'>
  linkTokens: LinkTokens
  throttle: Pick<Throttle, 'take'>
  takeStatusWindow: LookUpDependencies['takeStatusWindow']
  portalAudit: PortalAudit
  jobs: JobQueue
  addresses: SmartAddresses
  store: Pick<Store, 'search' | 'deletePatient'>
  randomBytes: (size: number) => Uint8Array
}

export function createStatus(dependencies: StatusDependencies) {
  const { prisma, jobs } = dependencies
  const board = createStatusBoard(dependencies)
  const history = createStatusHistory(dependencies)
  const shared = { ...dependencies, history }
  const { platformStatus, toPlatformStatus } = createPlatformStatus({ ...dependencies, board })
  const practice = createPracticeStatus({ ...dependencies, board })
  const { endOverdue, ...overrides } = createOverrides(shared)
  const { beginDueMaintenance, ...incidents } = createIncidents(shared)
  const views = createIncidentViews(dependencies)
  const { listSubscribers, manageLink, forgetUnconfirmed, ...subscriptions } =
    createSubscriptions(dependencies)
  return {
    platform: platformStatus,
    practice,
    /** For operations: what a practice cannot do without, which is no component of its own. */
    practiceParts: async () => {
      const { finding } = await board.read()
      return { signIn: finding('sign_in'), saving: finding('saving') }
    },
    /** What the status page shows, read at most every 30 seconds. */
    page: createStatusPage({ ...shared, board, toPlatformStatus, views }),
    lookUp: createLookUp({ ...dependencies, practice }),
    findIncident: views.findIncident,
    ...overrides,
    saveChecks: createCheckResults(shared),
    ...createCanary(dependencies),
    getProbeKey: createProbeKey(dependencies),
    signProbeAssertion: createProbeClient(dependencies),
    forgetCanaries: createForgetCanaries(dependencies),
    history: history.readDays,
    /** Tick: what is over ends, what is due begins. */
    tick: async (now: Date) => (await endOverdue(now)) + (await beginDueMaintenance(now)),
    ...incidents,
    listIncidents: views.listIncidents,
    getIncident: views.getIncident,
    ...subscriptions,
    tellSubscribers: createNotices({ ...dependencies, subscriptions: { listSubscribers, manageLink } }),
    /** Tick: what is older than what is shown, and requests for mails that nobody confirmed. */
    forgetOld: async (now: Date) => {
      await history.forgetOldHistory(now)
      await forgetUnconfirmed(now)
    },
    /** For a server that has just begun: a round as soon as a worker is free, not at the next whole minute. */
    checkAtOnce: () =>
      prisma.$transaction((tx) =>
        jobs.add(tx, 'check-status', { half: true }, { jobKey: 'check-status:begin', maxAttempts: 1 }),
      ),
    /** Cron knows whole minutes; the other half of each is a job of its own. */
    checkAgain: () =>
      prisma.$transaction((tx) =>
        jobs.add(
          tx,
          'check-status',
          { half: true },
          { jobKey: 'check-status:half', delaySeconds: checkEverySeconds, maxAttempts: 1 },
        ),
      ),
  }
}

export type Status = ReturnType<typeof createStatus>
