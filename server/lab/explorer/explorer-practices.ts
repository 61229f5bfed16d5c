/** What the explorer may call as somebody: sandbox practices of their organizations, and the shared demonstration. */
import type { KeyLevel } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Core } from '../../domain/core.ts'
import { sandboxSlug } from '../../domain/practices/organization-sandbox.ts'
import type { ExplorerSession } from './explorer-session.ts'

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
