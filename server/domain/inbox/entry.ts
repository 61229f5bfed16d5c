/** Turns a row of the inbox's query into an entry with the texts of its step. */
import type { Role } from '../../auth/sessions.ts'
import { type ComponentId, components } from '../../contract/status/components.ts'
import { type AgreementKind, agreementKinds } from '../../contract/workflows/agreements.ts'
import { awaitedSteps, type InboxKind } from '../../contract/workflows/inbox.ts'
import type { InboxRole } from '../../contract/workflows/inbox-steps.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import type { Reach } from './subjects.ts'

type Party = Readonly<{ slug: string; name: string }>

export type EntryRow = Readonly<{
  kind: InboxKind
  id: string
  name: string
  state: string
  place: number
  realm: InboxRole['realm']
  organizationSlug: string | null
  organizationName: string | null
  practiceSlug: string | null
  practiceName: string | null
  claimedById: string | null
  claimedByName: string | null
  askedBy: string | null
  since: Date
  dueAt: Date | null
  clientId: string | null
}>

export type InboxEntry = ReturnType<typeof toEntry>

export function toEntry({ kind, id, state, place, realm, name, since, dueAt, ...row }: EntryRow) {
  const step = awaitedSteps[place]?.step
  if (!step) throw new Error(`no awaited step at ${place}`)
  const { event, action, title } = step
  return {
    kind,
    id,
    state,
    /** The step that the person should take, and the realm in which they can. */
    event,
    action,
    realm,
    since,
    dueAt,
    title: title.replace('{name}', () =>
      nameOf(kind, name, realm === 'developer' ? row.practiceName : row.organizationName),
    ),
    /** Null if the entry concerns only our staff. */
    organization: partyOf(row.organizationSlug, row.organizationName),
    practice: partyOf(row.practiceSlug, row.practiceName),
    askedBy: row.askedBy ?? '',
    claimedBy: row.claimedById === null ? null : { id: row.claimedById, name: row.claimedByName ?? '' },
    clientId: row.clientId,
  }
}

const partyOf = (slug: string | null, name: string | null): Party | null =>
  slug === null ? null : { slug, name: name ?? slug }

/** Quotation marks in a quoted name are replaced, because they would end the quotation early. */
const quotes = /[“”„«»"]/gu

function nameOf(kind: InboxKind, name: string, other: string | null = null): string {
  if (kind === 'agreement')
    return agreementKinds[name as AgreementKind].toLowerCase() + (other === null ? '' : ` with ${other}`)
  return kind === 'component' ? components[name as ComponentId].name : `“${name.replace(quotes, '’')}”`
}

// The reader of an inbox: a person's roles, and the subjects that these roles can see.

/** The roles are set if the request has read them with its session. */
export type Reader = Pick<Actor, 'accountId'> & Readonly<{ roles?: readonly Role[] }>

/** A person's roles on our staff, in organizations, or at practices. A disabled account has none. */
export async function rolesOfPerson(
  { prisma }: Pick<Core, 'prisma'>,
  { accountId, roles }: Reader,
): Promise<readonly Role[]> {
  if (roles) return roles
  return prisma.$queryRaw<Role[]>`
    SELECT a.realm::text AS realm, r.role, r.of
      FROM portal.account a
      CROSS JOIN LATERAL (
        SELECT 'staff' AS realm, a.staff_role::text AS role, NULL::uuid AS of WHERE a.staff_role IS NOT NULL
        UNION ALL
        SELECT 'developer', m.role::text, m.organization_id FROM portal.membership m WHERE m.account_id = a.id
        UNION ALL
        SELECT 'practice', m.role::text, m.practice_id FROM portal.practice_membership m WHERE m.account_id = a.id
      ) r
     WHERE a.id = ${accountId}::uuid AND a.disabled_at IS NULL AND r.realm = a.realm::text`
}

/** The subjects that a person's roles can see. All of these roles belong to one realm. */
export function reachOf(roles: readonly Role[]): Reach {
  const ids = roles.flatMap(({ of }) => of ?? [])
  switch (roles[0]?.realm) {
    case 'developer':
      return { realm: 'developer', organizationIds: ids }
    case 'practice':
      return { realm: 'practice', practiceIds: ids }
    default:
      return { realm: 'staff' }
  }
}
