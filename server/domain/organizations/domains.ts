/** Domains of an organization. A link that is emailed to a mailbox at the domain proves that it owns the domain. */
import { Problem } from '../../contract/http/problems.ts'
import { paths } from '../../contract/portal/paths.ts'
import { emailAddress } from '../../contract/text/email-address.ts'
import * as throttle from '../accounts/throttle.ts'
import type { Actor, Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { requireRole } from './membership.ts'

const linkHours = 72
const domainsMax = 20
/** Providers where anyone can get a mailbox, so that it proves nothing about the domain. */
const openProviders: readonly string[] = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'yahoo.com',
  'icloud.com',
  'me.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'gmx.com',
  'mail.com',
]

/**
 * Emails the link to the mailbox; an earlier link for the same domain stops working.
 * @throws Problem `validation`, `not_found`, `forbidden`, `conflict` (too many), `rate_limited`
 */
export async function request(
  core: Core,
  { organizationId, mailbox: typed }: { organizationId: string; mailbox: string },
  actor: Actor,
): Promise<{ id: string }> {
  const { prisma, clock, mail, portalAudit } = core
  const parsed = emailAddress.safeParse(typed)
  if (!parsed.success)
    throw new Problem('validation', { field: 'mailbox', message: 'Enter an email address at the domain.' })
  const mailbox = parsed.data
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1).toLowerCase()
  if (openProviders.includes(domain))
    throw new Problem('validation', {
      field: 'mailbox',
      message: 'Anyone can get a mailbox at this domain. Use one at your own domain.',
    })
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, ['owner', 'admin'])
  await throttle.takeOrRefuse(core, [
    { rule: 'mailAddress', subject: [mailbox] },
    { rule: 'mailNetwork', subject: [actor.ip] },
  ])
  return prisma.$transaction(async (tx) => {
    const organization = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
    if ((await tx.organizationDomain.count({ where: { organizationId } })) >= domainsMax)
      throw new Problem('conflict', { message: `An organization can have at most ${domainsMax} domains.` })
    const now = clock()
    const requestData = { mailbox, requestedById: actor.accountId, requestedAt: now }
    const row = await tx.organizationDomain.upsert({
      where: { organizationId_domain: { organizationId, domain } },
      create: { organizationId, domain, ...requestData },
      update: requestData,
    })
    const expiresAt = new Date(now.getTime() + linkHours * 3_600_000)
    const token = await linkTokens.issue(core, tx, {
      kind: 'verify_domain',
      subjectId: row.id,
      expiresAt,
      now,
    })
    const { name } = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    await mail.enqueue(tx, {
      template: 'verify-domain',
      to: mailbox,
      props: {
        organizationName: organization.name,
        domain,
        byName: name,
        expiresAt: expiresAt.toISOString(),
        requestId: row.id,
      },
      links: { verifyUrl: paths.verifyDomain(token) },
      threadId: row.id,
      correlationId: actor.correlationId,
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'organization_domain.requested',
      subject: { kind: 'organization_domain', id: row.id },
      detail: { domain },
    })
    return { id: row.id }
  })
}

/** The domain of a link, without using it up; null if the link no longer works. */
export async function find(core: Core, token: string) {
  const { prisma } = core
  const state = await linkTokens.check(core, token, 'verify_domain')
  if (state.kind !== 'live' || !state.link.subjectId) return null
  const row = await prisma.organizationDomain.findUnique({
    where: { id: state.link.subjectId },
    include: { organization: { select: { name: true } } },
  })
  return row && { domain: row.domain, organizationName: row.organization.name }
}

/** Confirms a domain, by POST, signed in or not: the emailed link is the proof. @throws Problem `not_found` */
export async function confirm(core: Core, token: string, context: Context): Promise<{ domain: string }> {
  const { prisma, clock, portalAudit } = core
  return prisma.$transaction(async (tx) => {
    const state = await linkTokens.consume(core, tx, token, 'verify_domain')
    if (state.kind !== 'live' || !state.link.subjectId)
      throw new Problem('not_found', { message: 'This link has been used or has expired.' })
    const row = await tx.organizationDomain.update({
      where: { id: state.link.subjectId },
      data: { verifiedAt: clock() },
    })
    await portalAudit.append(tx, {
      ...portalAudit.visitor(context),
      organizationId: row.organizationId,
      action: 'organization_domain.verified',
      subject: { kind: 'organization_domain', id: row.id },
      detail: { domain: row.domain },
    })
    return { domain: row.domain }
  })
}

/** @throws Problem `not_found` unless the reader is a member */
export async function list(
  { prisma }: Core,
  organizationId: string,
  { accountId }: Pick<Actor, 'accountId'>,
) {
  await requireRole(prisma, { organizationId, accountId }, ['viewer', 'developer', 'admin', 'owner'])
  return prisma.organizationDomain.findMany({
    where: { organizationId },
    select: { id: true, domain: true, mailbox: true, requestedAt: true, verifiedAt: true },
    orderBy: { domain: 'asc' },
  })
}
