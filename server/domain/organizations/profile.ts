/** Creates, reads and renames organizations. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  mayRename,
  type OrganizationRole,
  organizationRoles,
} from '../../contract/portal/organization-roles.ts'
import { normalize } from '../../contract/text/normalize.ts'
import { findNameFault } from '../../contract/text/public-name.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireRole } from './membership.ts'

/** The limit of organizations for each founder, because each organization can have its own sandbox. */
const foundedMax = 10
const slugAttempts = 50
/** Ended invitations stay in the list this long. */
const endedShownDays = 30

/** The account's organizations by name. */
export async function listFor({ prisma }: Core, accountId: string) {
  const rows = await prisma.$queryRaw<{ id: string; name: string; slug: string; role: OrganizationRole }[]>`
    SELECT o.id, o.name, o.slug, m.role::text AS role
      FROM portal.membership m
      JOIN portal.organization o ON o.id = m.organization_id
      JOIN portal.account a ON a.id = m.account_id AND a.disabled_at IS NULL
     WHERE m.account_id = ${accountId}::uuid`
  return rows.sort((one, other) => one.name.localeCompare(other.name) || one.slug.localeCompare(other.slug))
}

/**
 * Creates an organization, whose founder becomes its owner.
 * @param options.first only for a person without an organization
 * @throws Problem `forbidden` (no developer's account, address not confirmed), `conflict` (ten founded already, or not
 *   the first)
 */
export async function create(
  core: Core,
  { name }: { name: string },
  actor: Actor,
  { first = false }: { first?: boolean } = {},
): Promise<{ id: string; slug: string }> {
  const { prisma } = core
  for (let attempt = 0; attempt < slugAttempts; attempt++) {
    try {
      return await prisma.$transaction((tx) =>
        createIn(core, tx, { name, slug: toSlug(name, attempt), first }, actor),
      )
    } catch (error) {
      if (!isUniqueViolation(error)) throw error // the slug is taken: the next one
    }
  }
  throw new Problem('conflict', {
    message: 'Many organizations use this name. Choose another.',
    field: 'name',
  })
}

async function createIn(
  { clock, portalAudit }: Core,
  tx: Prisma.TransactionClient,
  { name, slug, first }: { name: string; slug: string; first: boolean },
  actor: Actor,
) {
  // The lock on the founder's row makes concurrent forms count each other.
  await tx.$queryRaw`SELECT 1 FROM portal.account WHERE id = ${actor.accountId}::uuid FOR UPDATE`
  const founder = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
  if (founder.realm !== 'developer' || !founder.emailVerifiedAt || founder.disabledAt)
    throw new Problem('forbidden')
  if (first && (await tx.membership.count({ where: { accountId: founder.id } })) > 0)
    throw new Problem('conflict', {
      message: 'You belong to an organization now. Request the key on its Keys page.',
    })
  if ((await tx.organization.count({ where: { createdById: founder.id } })) >= foundedMax) {
    throw new Problem('conflict', { message: `You can create at most ${foundedMax} organizations.` })
  }
  const now = clock()
  const organization = await tx.organization.create({
    data: {
      name,
      slug,
      createdById: founder.id,
      createdAt: now,
      members: { create: { accountId: founder.id, role: 'owner', createdAt: now } },
    },
    select: { id: true, slug: true },
  })
  await portalAudit.append(tx, {
    ...portalAudit.by(actor),
    organizationId: organization.id,
    action: 'organization.created',
    subject: { kind: 'organization', id: organization.id },
    detail: { name, slug },
  })
  return organization
}

/** @throws Problem `not_found` unless the account is a member */
export async function get(
  { prisma, clock }: Core,
  {
    organizationId,
    accountId,
  }: {
    organizationId: string
    accountId: string
  },
) {
  const role = await requireRole(prisma, { organizationId, accountId }, organizationRoles)
  const now = clock()
  const { members, invitations, ...organization } = await prisma.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: {
      id: true,
      name: true,
      slug: true,
      members: {
        include: { account: { select: { name: true, email: true } } },
        orderBy: { createdAt: 'asc' },
      },
      invitations: {
        where: {
          state: { not: 'accepted' },
          expiresAt: { gt: new Date(now.getTime() - endedShownDays * 86_400_000) },
        },
        include: { invitedBy: { select: { name: true } } },
        orderBy: { createdAt: 'desc' },
      },
    },
  })
  return {
    ...organization,
    role,
    members: members.map((member) => ({
      accountId: member.accountId,
      ...member.account,
      role: member.role,
      since: member.createdAt,
    })),
    invitations: invitations.map(({ id, email, role: invitedAs, state, expiresAt, invitedBy }) => ({
      id,
      email,
      role: invitedAs,
      // The tick that expires the invitation may not have run yet.
      state:
        state === 'invited' && expiresAt <= now ? 'expired' : (state as 'invited' | 'expired' | 'cancelled'),
      expiresAt,
      invitedBy: invitedBy.name,
    })),
  }
}

/**
 * Renames the organization. Its slug stays, so links go on working. Practices that it has dealings with get an email, so
 * that it can't pass for another organization.
 * @throws Problem `forbidden` (the role; step-up, with the field `stepUp`), `validation`
 */
export async function rename(
  { prisma, clock, mail, portalAudit }: Core,
  { organizationId, name }: { organizationId: string; name: string },
  actor: Actor,
): Promise<void> {
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, mayRename)
  requireStepUp(actor, clock())
  const fault = findNameFault(name)
  if (fault) throw new Problem('validation', { field: 'name', message: fault })
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM portal.organization WHERE id = ${organizationId}::uuid FOR UPDATE`
    const before = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
    if (before.name === name) return
    await tx.organization.update({ where: { id: organizationId }, data: { name } })
    const by = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    for (const { account, practice } of await findPracticeAdmins(tx, organizationId))
      await mail.enqueue(tx, {
        template: 'organization-renamed',
        to: account.email,
        props: {
          name: account.name,
          formerName: before.name,
          organizationName: name,
          by: by.name,
          practiceName: practice.name,
        },
        threadId: organizationId,
        correlationId: actor.correlationId,
      })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'organization.renamed',
      subject: { kind: 'organization', id: organizationId },
      detail: { name, formerName: before.name },
    })
  })
}

/** Admins of production practices with which the organization has access, an agreement or a request. */
function findPracticeAdmins(tx: Prisma.TransactionClient, organizationId: string) {
  const ofOrganization = { some: { organizationId } }
  const ofItsApps = { client: { organizationId } }
  return tx.practiceMembership.findMany({
    where: {
      role: 'admin',
      account: { disabledAt: null },
      practice: {
        environment: 'production',
        OR: [
          { productionRequests: { some: { organizationId, state: { not: 'draft' } } } },
          { agreements: ofOrganization },
          { keys: { some: { organizationId, revokedAt: null } } },
          { grants: { some: { ...ofItsApps, revokedAt: null } } },
          { systemAuthorizations: { some: ofItsApps } },
        ],
      },
    },
    select: { account: { select: { name: true, email: true } }, practice: { select: { name: true } } },
    orderBy: [{ practiceId: 'asc' }, { accountId: 'asc' }],
  })
}

// The slug in an organization's URLs has Latin letters, digits and dashes.

/** Slugs that would collide with pages, or with the directory beside the FHIR bases. */
const reserved: ReadonlySet<string> = new Set(['new', 'accept', 'settings', 'endpoints'])

/**
 * @param attempt 0 gives the plain slug; others add a number, for names that are taken
 */
export function toSlug(name: string, attempt = 0): string {
  const latin = normalize(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
  const base = latin === '' || reserved.has(latin) ? `organization${latin && `-${latin}`}` : latin
  return attempt === 0 ? base : `${base}-${attempt + 1}`
}
