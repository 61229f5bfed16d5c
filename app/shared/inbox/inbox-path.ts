import { paths } from '../../../server/contract/portal/paths.ts'
import type { InboxEntry } from '../../../server/domain/inbox/inbox.ts'

type Subject = Pick<InboxEntry, 'kind' | 'id' | 'state' | 'event' | 'realm'> &
  Readonly<{ organization: { slug: string }; practice: { slug: string } | null }>

/** The page on which the person makes the step. */
export function inboxPath(entry: Subject): string {
  if (entry.realm === 'staff') return staffPath(entry)
  return entry.realm === 'practice' ? practicePath(entry) : developerPath(entry)
}

function developerPath({ kind, id, state, event, organization: { slug } }: Subject): string {
  switch (kind) {
    case 'registration':
      return state === 'draft' ? paths.registrationForm(slug, id) : paths.registration(slug, id)
    case 'production_key_request':
      return state === 'draft' ? paths.productionKeyForm(slug, id) : paths.productionKey(slug, id)
    case 'sandbox_key_request':
      return event === 'reveal' ? paths.claimKeyRequest(id) : paths.keyRequest(slug, id)
    case 'agreement':
      return paths.agreement(slug, id)
    case 'system_authorization':
      return paths.organizationApps(slug)
  }
}

function practicePath({ kind, id, practice }: Subject): string {
  if (kind === 'production_key_request') return paths.practiceSponsorship(id)
  if (kind === 'agreement') return paths.practiceAgreement(id)
  return practice
    ? `${paths.practiceSystems}?${new URLSearchParams({ practice: practice.slug })}`
    : paths.practice
}

function staffPath({ kind, id }: Subject): string {
  if (kind === 'registration') return paths.reviewRegistration(id)
  if (kind === 'production_key_request') return paths.reviewProductionKey(id)
  return kind === 'sandbox_key_request' ? paths.keyReview(id) : paths.staffAgreements
}
