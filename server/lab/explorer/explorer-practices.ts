/** What the explorer may call as a person: sandbox practices of their organizations, and the shared demonstration. */
import type { KeyLevel } from '../../../prisma/generated/client/client.ts'
import type { AccessEntry } from '../../audit/access-log.ts'
import * as accessLog from '../../audit/access-log.ts'
import type { ActivityEntry } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
import { Problem } from '../../contract/http/problems.ts'
import { networkOf } from '../../domain/accounts/throttle.ts'
import type { Context } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { sandboxSlug } from '../../domain/practices/organization-sandbox.ts'
import type { NewExplorerCall } from './explorer-history.ts'
import * as explorerHistory from './explorer-history.ts'

/** A signed-in developer who has given the second step; null for a visitor. */
export type ExplorerSession = Readonly<{ id: string; accountId: string }> | null

export type ExplorerPractice = Readonly<{
  /** Null for an organization whose sandbox has not been needed yet. */
  id: string | null
  slug: string
  name: string
  /** Null for the shared demonstration practice. */
  organizationId: string | null
  organizationSlug: string | null
  /** What this person may ask for. */
  levels: readonly KeyLevel[]
}>

/** A person's own first, by name; the demonstration last, and for a visitor the only one. */
export async function list(core: Core, session: ExplorerSession): Promise<ExplorerPractice[]> {
  const [own, demonstration] = await Promise.all([listOwn(core, session), getDemonstration(core)])
  return [...own, ...(demonstration === null ? [] : [demonstration])]
}

async function listOwn({ prisma }: Core, session: ExplorerSession): Promise<ExplorerPractice[]> {
  if (session === null) return []
  const memberships = await prisma.membership.findMany({
    where: {
      accountId: session.accountId,
      account: { disabledAt: null, emailVerifiedAt: { not: null } },
    },
    select: {
      role: true,
      organization: {
        select: {
          id: true,
          slug: true,
          name: true,
          practices: {
            where: { environment: 'sandbox' },
            select: { id: true, slug: true, name: true, state: true },
          },
        },
      },
    },
    orderBy: [{ organization: { name: 'asc' } }, { organizationId: 'asc' }],
  })
  return memberships.flatMap(({ role, organization }) => {
    const { id, slug, name, practices } = organization
    const [practice] = practices
    if (practice && practice.state !== 'active') return []
    return [
      {
        id: practice?.id ?? null,
        slug: practice?.slug ?? sandboxSlug(id),
        name: practice?.name ?? `${name} sandbox`,
        organizationId: id,
        organizationSlug: slug,
        levels: role === 'viewer' ? (['read_only'] as const) : (['read_only', 'full'] as const),
      },
    ]
  })
}

async function getDemonstration({ prisma }: Core): Promise<ExplorerPractice | null> {
  const practice = await prisma.practice.findFirst({
    where: { purpose: 'demonstration', environment: 'sandbox', state: 'active' },
    select: { id: true, slug: true, name: true },
    orderBy: { createdAt: 'asc' },
  })
  return practice && { ...practice, organizationId: null, organizationSlug: null, levels: ['read_only'] }
}

/** @throws Problem `not_found` for one that is not on the list, `unavailable` where there is none at all */
export async function get(
  core: Core,
  session: ExplorerSession,
  slug: string | null,
): Promise<ExplorerPractice> {
  const practices = await list(core, session)
  if (practices.length === 0)
    throw new Problem('unavailable', { detail: 'no demonstration practice: the seed has not run' })
  const found = slug === null ? practices[0] : practices.find((practice) => practice.slug === slug)
  if (found === undefined) throw new Problem('not_found')
  return found
}

/** What a request of the explorer is made with: a key or a token that stays on this server. */
export type ExplorerCredential = Readonly<{
  expiresAt: Date
  practice: Readonly<{ id: string; slug: string; name: string; organizationId: string | null }>
  /**
   * The value of an Authorization header. A function, so that no loader can serialise the secret by mistake: call it
   * only to make a request that stays in this process, and never put what it gives into an answer, a log or an error.
   */
  authorization: () => string
}>

/** A key or token so near its end is not begun with. */
export const marginMs = 30_000
/** In place of a session: the keys and tokens of all visitors are the same. */
export const visitorHolder = 'visitor'

/** What visitors may ask, counted by address. @throws Problem `rate_limited` */
export async function takeVisitorWindow({ limiter }: Core, { ip }: Context): Promise<void> {
  const decision = await limiter.take([{ window: 'explorerVisitor', subject: networkOf(ip) }])
  if (decision.admitted) return
  throw new Problem('rate_limited', {
    message: `Too many explorer requests from this address. Wait ${decision.retryAfterSeconds} seconds, or sign in to use your own sandbox.`,
    retryAfterSeconds: decision.retryAfterSeconds,
  })
}

// What a call of the explorer left behind: its rows in both logs, and a line in the history.

export type ExplorerTraces = Readonly<{
  /** Null if the call needs no credential. */
  activity: ActivityEntry | null
  access: readonly AccessEntry[]
}>

/**
 * The rows of one answer, its own only, and a line in the history of a signed-in person.
 * @param principalId as the record of access names the credential
 */
export async function traceCall(
  core: Core,
  call: Omit<NewExplorerCall, 'accountId'>,
  whose: {
    session: ExplorerSession
    owner: { keyId: string } | { clientId: string }
    practiceId: string
    principalId: string
  },
): Promise<ExplorerTraces> {
  const { recorder } = core
  const { session, owner, practiceId, principalId } = whose
  const { correlationId, status } = call
  if (session !== null) await explorerHistory.keep(core, { ...call, accountId: session.accountId })
  if (correlationId === null) return { activity: null, access: [] }
  // Served rows are committed before the answer leaves; those of refusals are on their way.
  if (status >= 400) await recorder.flush()
  // It was made just now: no older month is looked into.
  const from = new Date(core.clock().getTime() - 86_400_000)
  const [activity, access] = await Promise.all([
    activityLog.page(core, { ...owner, correlationId, limit: 1 }),
    accessLog.page(core, practiceId, { principalId, correlationId, from, limit: 10 }),
  ])
  return { activity: activity.rows[0] ?? null, access: access.rows }
}
