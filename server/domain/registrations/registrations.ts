/** Registrations of apps, and what else walks their table: what developers do, what reviewers do, what time does. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { Env } from '../../env.ts'
import { createOfficeCalendar } from '../business-days/business-days.ts'
import type { JwksSource } from '../clients/jwks-source.ts'
import type { SmartAddresses } from '../grants/smart-addresses.ts'
import type { OrganizationSandboxes } from '../practices/organization-sandbox.ts'
import { createReviewDigest } from '../review-clocks/digest.ts'
import { createApplyApproved } from './apply-approved.ts'
import { createChanges } from './changes.ts'
import { createClocks } from './clocks.ts'
import { createDrafts } from './drafts.ts'
import { createDue } from './due.ts'
import { createEnablement } from './enablement.ts'
import { createFigures } from './figures.ts'
import { createOpsSteps } from './ops-steps.ts'
import { createProbeClient, type Send } from './probe-client.ts'
import { createReads } from './read-registration.ts'
import type { RegistrationReviews, Registrations } from './registration-types.ts'
import { createReviews } from './reviews.ts'
import type { RegistrationRooms } from './rooms.ts'
import { createSandboxClient } from './sandbox-client.ts'
import { createSubmissions } from './submissions.ts'
import { createWalk } from './walk.ts'

type Dependencies = Omit<
  RegistrationRooms,
  'clocks' | 'walk' | 'sandboxClient' | 'findOwn' | 'directoryUrl'
> & {
  prisma: PrismaClient
  env: Pick<
    Env,
    | 'BUSINESS_TZ'
    | 'FHIR_ORIGIN'
    | 'PROBE_ORIGIN'
    | 'PROMISE_BUSINESS_DAYS'
    | 'AUTHENTICITY_BUSINESS_DAYS'
    | 'ENABLEMENT_BUSINESS_DAYS'
  >
  sandboxes: OrganizationSandboxes
  jwks: JwksSource
  addresses: SmartAddresses
  send: Send
}

export function createRegistrations(dependencies: Dependencies) {
  const { env } = dependencies
  const clocks = createClocks({
    calendar: createOfficeCalendar(env.BUSINESS_TZ),
    days: {
      promise: env.PROMISE_BUSINESS_DAYS,
      authenticity: env.AUTHENTICITY_BUSINESS_DAYS,
      enablement: env.ENABLEMENT_BUSINESS_DAYS,
    },
  })
  const walk = createWalk({ ...dependencies, clocks })
  const shared = {
    ...dependencies,
    clocks,
    walk,
    directoryUrl: `${env.FHIR_ORIGIN}/r4/endpoints`,
    sandboxClient: createSandboxClient(dependencies),
    findOwn: () => Promise.reject(new Error('drafts come first')),
  }
  const { findOwn, ...drafts } = createDrafts(shared)
  const rooms: RegistrationRooms = { ...shared, findOwn }
  const reads = createReads(rooms)
  const { serviceFigures, metrics } = createFigures(dependencies)
  const enablement = createEnablement({
    ...rooms,
    approved: createApplyApproved(dependencies),
    probeClient: createProbeClient(dependencies),
  })

  const developers: Registrations = {
    ...drafts,
    ...createSubmissions(rooms),
    ...createChanges(rooms),
    get: reads.get,
    list: reads.list,
    listPage: reads.listPage,
  }
  const reviews: RegistrationReviews = {
    ...reads.reviews,
    ...createReviews(rooms),
    ...createOpsSteps(rooms),
    metrics,
  }

  return {
    ...developers,
    reviews,
    /** For everybody. */
    serviceFigures,
    ...enablement,
    ...createDue(rooms),
    ...createReviewDigest({ ...rooms, calendar: clocks.calendar }),
    walk,
  }
}

export type RegistrationServices = ReturnType<typeof createRegistrations>
