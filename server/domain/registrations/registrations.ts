/** Registrations of apps, and what else goes through their table: what developers, reviewers and time do. */
import type { Env } from '../../env.ts'
import type { OrganizationSandboxes } from '../bound.ts'
import type { JwksSource } from '../clients/jwks-source.ts'
import type { Core } from '../core.ts'
import type { SmartAddresses } from '../grants/smart-addresses.ts'
import { sendDigest } from '../review-clocks/digest.ts'
import { createApplyApproved } from './apply-approved.ts'
import { createChanges } from './changes.ts'
import type { RegistrationDependencies } from './dependencies.ts'
import { createDrafts } from './drafts.ts'
import { createDue } from './due.ts'
import { createEnablement } from './enablement.ts'
import { createFigures } from './figures.ts'
import { createOpsSteps } from './ops-steps.ts'
import { createProbeClient, type Send } from './probe-client.ts'
import { createReads } from './read-registration.ts'
import type { RegistrationReviews, Registrations } from './registration-types.ts'
import { createReviews } from './reviews.ts'
import { createSandboxClient } from './sandbox-client.ts'
import { createSubmissions } from './submissions.ts'

type Dependencies = Omit<RegistrationDependencies, 'clockDays' | 'sandboxClient' | 'directoryUrl'> & {
  env: Pick<
    Env,
    | 'FHIR_ORIGIN'
    | 'PROBE_ORIGIN'
    | 'PROMISE_BUSINESS_DAYS'
    | 'AUTHENTICITY_BUSINESS_DAYS'
    | 'ENABLEMENT_BUSINESS_DAYS'
  >
  core: Core
  sandboxes: OrganizationSandboxes
  jwks: JwksSource
  addresses: SmartAddresses
  send: Send
}

export function createRegistrations(dependencies: Dependencies) {
  const { env } = dependencies
  const core = {
    ...dependencies,
    clockDays: {
      promise: env.PROMISE_BUSINESS_DAYS,
      authenticity: env.AUTHENTICITY_BUSINESS_DAYS,
      enablement: env.ENABLEMENT_BUSINESS_DAYS,
    },
    directoryUrl: `${env.FHIR_ORIGIN}/r4/endpoints`,
    sandboxClient: createSandboxClient(dependencies),
  }
  const { get, open, list, listPage, reviews: reviewReads } = createReads(core)
  const { serviceFigures, metrics } = createFigures(core)
  const approved = createApplyApproved(core)
  const probeClient = createProbeClient(core)

  const developers: Registrations = {
    ...createDrafts(core),
    ...createSubmissions(core),
    ...createChanges(core),
    get,
    open,
    list,
    listPage,
  }
  const reviews: RegistrationReviews = {
    ...reviewReads,
    ...createReviews(core),
    ...createOpsSteps(core),
    metrics,
  }

  return {
    ...developers,
    reviews,
    /** For everybody. */
    serviceFigures,
    ...createEnablement({ ...core, approved, probeClient }),
    ...createDue(core),
    sendDigest: (now: Date) => sendDigest(core.core, now),
  }
}

export type RegistrationServices = ReturnType<typeof createRegistrations>
