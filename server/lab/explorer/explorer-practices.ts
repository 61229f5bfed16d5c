/** Practices that the explorer may call for a person: their organizations' sandboxes and the shared demonstration. */
import type { KeyLevel } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { networkOf } from '../../domain/accounts/throttle.ts'
import type { Context } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { sandboxSlug } from '../../domain/practices/organization-sandbox.ts'

/** A developer who signed in with MFA; null for a visitor. */
export type ExplorerSession = Readonly<{ id: string; accountId: string }> | null

export type ExplorerPractice = Readonly<{
  /** Null until the organization's sandbox is created. */
  id: string | null
  slug: string
  name: string
  /** Null for the shared demonstration practice. */
  organizationId: string | null
  organizationSlug: string | null
  /** The levels that this person may call with. */
  levels: readonly KeyLevel[]
}>

/** Lists the person's own practices by organization, then the demonstration. A visitor gets only the latter. */
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

/** @throws Problem `not_found` for a practice that is not on the list, `unavailable` if the list is empty */
export async function get(core: Core, session: ExplorerSession, slug: string | null) {
  const practices = await list(core, session)
  if (practices.length === 0)
    throw new Problem('unavailable', { detail: 'no demonstration practice: the seed has not run' })
  const found = slug === null ? practices[0] : practices.find((practice) => practice.slug === slug)
  if (found === undefined) throw new Problem('not_found')
  return found
}

/** The key or token that an explorer request is made with. It stays on this server. */
export type ExplorerCredential = Readonly<{
  expiresAt: Date
  practice: Readonly<{ id: string; slug: string; name: string; organizationId: string | null }>
  /**
   * The value of an Authorization header. A function, so that no loader can serialise the secret by mistake: call it
   * only to make a request that stays in this process, and never put the value into a response, a log or an error.
   */
  authorization: () => string
}>

/** A key or token that expires within this time is not used for another call. */
export const marginMs = 30_000
/** The session ID of every visitor: all visitors share the same keys and tokens. */
export const visitorHolder = 'visitor'

/** Limits the requests of visitors by their network. @throws Problem `rate_limited` */
export async function takeVisitorWindow({ limiter }: Core, { ip }: Context): Promise<void> {
  const decision = await limiter.take([{ window: 'explorerVisitor', subject: networkOf(ip) }])
  if (decision.admitted) return
  throw new Problem('rate_limited', {
    message: `Too many explorer requests from this address. Wait ${decision.retryAfterSeconds} seconds, or sign in to use your own sandbox.`,
    retryAfterSeconds: decision.retryAfterSeconds,
  })
}
