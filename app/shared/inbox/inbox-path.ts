import { paths } from '../../../server/contract/portal/paths.ts'
import type { InboxEntry } from '../../../server/domain/inbox/inbox.ts'

type Step = Pick<
  InboxEntry,
  'kind' | 'id' | 'realm' | 'state' | 'event' | 'clientId' | 'organization' | 'practice'
>

/** The page on which the person takes the to-do's next step. */
export function inboxPath(entry: Step): string {
  const { kind, id, state, event, realm, organization, clientId } = entry
  if (realm === 'developer' && organization) {
    const { slug } = organization
    if (kind === 'registration' && state === 'draft') return paths.registrationForm(slug, id)
    if (kind === 'production_key_request' && state === 'draft') return paths.productionKeyForm(slug, id)
    if (kind === 'sandbox_key_request')
      return event === 'reveal' ? paths.claimKeyRequest(id) : paths.keyRequest(slug, id)
    if (kind === 'expiring_key' && state === 'production') return paths.productionKey(slug, id)
    if (kind === 'app_token_errors' && clientId !== null) return paths.app(slug, clientId)
  }
  if (realm === 'staff') return staffPath(kind, id)
  if (realm === 'practice') return practicePath(kind, id, entry.practice)
  return organization ? developerPath(kind, id, organization.slug) : paths.inbox
}

function developerPath(kind: InboxEntry['kind'], id: string, slug: string): string {
  switch (kind) {
    case 'registration':
      return paths.registration(slug, id)
    case 'production_key_request':
    case 'suspended_key':
      return paths.productionKey(slug, id)
    case 'sandbox_key_request':
      return paths.organizationKeys(slug)
    case 'expiring_key':
      return paths.organizationKey(slug, id)
    case 'agreement':
      return paths.agreement(slug, id)
    default:
      return paths.organizationApps(slug)
  }
}

function practicePath(kind: InboxEntry['kind'], id: string, practice: Step['practice']): string {
  if (kind === 'production_key_request' || kind === 'access_review') return paths.practiceSponsorship(id)
  if (kind === 'agreement') return paths.practiceAgreement(id)
  const pages: Partial<Record<typeof kind, string>> = {
    withhold_request: paths.practiceWithheld,
    access_alert: paths.practiceAlerts,
  }
  const path = pages[kind] ?? paths.practiceSystems
  return practice ? `${path}?${new URLSearchParams({ practice: practice.slug })}` : paths.practice
}

function staffPath(kind: InboxEntry['kind'], id: string): string {
  switch (kind) {
    case 'registration':
      return paths.reviewRegistration(id)
    case 'production_key_request':
      return paths.reviewProductionKey(id)
    case 'sandbox_key_request':
      return paths.keyReview(id)
    case 'role_request':
      return paths.staffPeople
    case 'incident':
      return paths.staffIncident(id)
    case 'component':
      return paths.staffIncidents
    case 'failed_email':
      return paths.staffMail
    case 'failed_job':
      return paths.staffJobs
    default:
      return paths.staffAgreements
  }
}
