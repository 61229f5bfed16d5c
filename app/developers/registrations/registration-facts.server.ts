/** What the page of a registration says besides the form: what was asked, why it was turned down, where secrets are. */

import { uuidPattern } from '../../../server/contract/http/uuid.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type RejectionReason,
  rejectionReasons,
} from '../../../server/contract/workflows/registration-checks.ts'
import type { RegistrationView } from '../../../server/domain/registrations/registration-types.ts'
import { requestedFacts } from '../../shared/registrations/requested-facts.ts'

/** The limits or term that a request asks for, and the key or app it concerns. */
export function askedOf(slug: string, { kind, requested, subjectId }: RegistrationView) {
  if (requested === null || subjectId === null) return null
  const about = kind === 'limits' && !uuidPattern.test(subjectId) ? 'app' : 'key'
  return {
    about,
    to: about === 'app' ? paths.appFaults(slug, subjectId) : paths.organizationKey(slug, subjectId),
    facts: requestedFacts(requested),
  }
}

/** The published reasons of the last rejection. */
export function rejectionOf({ timeline }: RegistrationView): RejectionReason[] {
  const codes = timeline.findLast(({ event }) => event === 'reject')?.codes ?? []
  return codes.filter((code): code is RejectionReason => Object.hasOwn(rejectionReasons, code))
}

/** The page that creates a confidential app's secrets. */
export function secretsOf(slug: string, { form, sandboxClientId, productionClientId }: RegistrationView) {
  const to = (clientId: string | null) =>
    clientId !== null && form.clientType === 'client_secret_basic' ? paths.appSecrets(slug, clientId) : null
  return { sandbox: to(sandboxClientId), production: to(productionClientId) }
}
