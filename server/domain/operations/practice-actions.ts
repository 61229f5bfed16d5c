/** Practices, for operations: list, create, rename, suspend and resume them. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { practiceAdminForm, practiceForm, practiceNameForm } from '../../contract/forms/operations.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId, uuidPattern } from '../../contract/http/uuid.ts'
import type { OpsAct } from '../../contract/portal/ops-actions.ts'
import { type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { withRetry } from '../../store/retry.ts'
import type { Actor } from '../actor.ts'
import { cancelShutOut } from '../bulk-exports/cancel-export.ts'
import type { Core } from '../core.ts'
import { liveGrantWhere } from '../grants/grants.ts'
import { createPractice } from '../practices/practice-admin.ts'
import { findPracticePeople } from '../practices/practice-role.ts'
import { inviteAs } from '../practices/practice-staff.ts'
import { recheckAllIn } from '../production-keys/suspensions.ts'
import { requireStaff } from '../staff.ts'
import { act, changed, type OpsCase, parseActFields, permit } from './ops-act.ts'

/** A page of practices, production first, then by name. The search matches name and slug. @throws Problem `forbidden` */
export async function list({ prisma }: Core, ask: PageAsk, actor: { accountId: string }) {
  await requireStaff(prisma, actor, ['ops'])
  const where = searchWhere<Prisma.PracticeWhereInput>(ask.q, (like) => [{ name: like }, { slug: like }])
  const listed = await readPage(
    ask,
    () => prisma.practice.count({ where }),
    (window) =>
      prisma.practice.findMany({
        where,
        orderBy: [{ environment: 'desc' }, { name: 'asc' }, { slug: 'asc' }],
        include: { _count: { select: { keys: { where: { revokedAt: null } } } } },
        ...window,
      }),
  )
  const rows = listed.rows.map((row) => ({
    slug: row.slug,
    name: row.name,
    environment: row.environment,
    state: row.state,
    fhirEnabled: row.fhirEnabled,
    purpose: row.purpose,
    keys: row._count.keys,
  }))
  return { ...listed, rows }
}

/** @throws Problem `forbidden`, `not_found` */
export async function get({ prisma, clock }: Core, slug: string, actor: { accountId: string }) {
  await requireStaff(prisma, actor, ['ops'])
  const row = slug.includes('\0') ? null : await prisma.practice.findUnique({ where: { slug } })
  if (!row) throw new Problem('not_found')
  const [keys, requests, admins, exports, apps] = await Promise.all([
    prisma.apiKey.count({ where: { practiceId: row.id, revokedAt: null } }),
    prisma.productionKeyRequest.count({ where: { practiceId: row.id, endedAt: null } }),
    prisma.practiceMembership.count({ where: { practiceId: row.id, role: 'admin' } }),
    prisma.bulkExport.count({ where: { practiceId: row.id, state: 'running' } }),
    // A backend system has access while its grant is in force; another app while it has a live token.
    prisma.client.count({
      where: {
        grants: {
          some: {
            practiceId: row.id,
            OR: [{ audience: 'backend', revokedAt: null }, liveGrantWhere(clock())],
          },
        },
      },
    }),
  ])
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    environment: row.environment,
    state: row.state,
    purpose: row.purpose,
    inDirectory: row.inDirectory,
    createdAt: row.createdAt,
    version: row.version,
    counts: { keys, requests, admins, exports, apps },
  }
}

/** @throws Problem `validation` (a field), `conflict` if the slug is taken */
export async function create(core: Core, { reason: typed, fields }: OpsAct, actor: Actor): Promise<void> {
  const { portalAudit } = core
  const reason = await permit(core, typed, actor)
  const practice = parseActFields(practiceForm, fields)
  await createPractice(core, practice, portalAudit.by(actor), { reason })
}

/** Its URLs keep the slug. @throws Problem `validation` (the name), `conflict` if it was changed meanwhile */
export function rename(core: Core, { id, version, reason, fields }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'rename_practice', reason, actor, async ({ tx }) => {
    const before = await getOffice(tx, id)
    const { name } = parseActFields(practiceNameForm, fields)
    const { count } = await tx.practice.updateMany({
      where: { id, version },
      data: { name, version: { increment: 1 } },
    })
    if (count === 0) throw changed()
    return { subject: { kind: 'practice', id }, practiceId: id, detail: { from: before.name, to: name } }
  })
}

/**
 * Invites another admin, and cancels an open invitation of the same address.
 * @throws Problem `validation` (the address), `conflict` if the person is an admin there, or the practice was
 *   changed meanwhile
 */
export async function inviteAdmin(core: Core, { id, version, reason: typed, fields }: OpsAct, actor: Actor) {
  const { prisma, portalAudit } = core
  const reason = await permit(core, typed, actor)
  await withRetry(prisma, async (tx) => {
    const practice = await getOffice(tx, id)
    const { email } = parseActFields(practiceAdminForm, fields)
    if (practice.version !== version) throw changed()
    const { name } = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    const by = { name, by: portalAudit.by(actor) }
    await inviteAs(core, tx, { practiceId: id, email, role: 'admin' }, by, { reason })
  })
}

/** Finds a practice with its own staff; other practices belong to Sandpiper or to an organization. */
async function getOffice(tx: OpsCase['tx'], id: string): Promise<{ name: string; version: number }> {
  const practice = await tx.practice.findUnique({ where: { id: rowId(id) } })
  if (!practice) throw new Problem('not_found')
  if (practice.purpose !== 'office')
    throw new Problem('conflict', { message: 'This practice belongs to Sandpiper or to a developer.' })
  return practice
}

/**
 * Ends all access to the practice's records from the next call on: keys and tokens are refused, running exports are
 * cancelled, production keys are suspended for this cause, and both sides are notified.
 * @throws Problem `conflict` if it is suspended already, or was changed meanwhile
 */
export function suspend(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'suspend_practice', reason, actor, async (context) => {
    await move(context, { id, version, from: 'active', to: 'suspended' })
    const exportsCancelled = await cancelShutOut(context.tx, { practiceId: id }, context.now)
    await recheckAllIn(core, context.tx, { practiceId: id }, 'system')
    await notifyAdmins(core, context, { id, what: 'practice_suspended', actor })
    return { subject: { kind: 'practice', id }, practiceId: id, detail: { exportsCancelled } }
  })
}

/** Resumes access. Production keys work again unless another cause suspends them. @throws Problem as `suspend` */
export function resume(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'resume_practice', reason, actor, async (context) => {
    await move(context, { id, version, from: 'suspended', to: 'active' })
    await recheckAllIn(core, context.tx, { practiceId: id }, 'system')
    await notifyAdmins(core, context, { id, what: 'practice_resumed', actor })
    return { subject: { kind: 'practice', id }, practiceId: id }
  })
}

async function move(
  { tx }: OpsCase,
  context: { id: string; version: number; from: 'active' | 'suspended'; to: 'active' | 'suspended' },
): Promise<void> {
  const { id, version, from, to } = context
  if (!uuidPattern.test(id)) throw new Problem('not_found')
  const { count } = await tx.practice.updateMany({
    where: { id, version, state: from },
    data: { state: to, version: { increment: 1 } },
  })
  if (count === 0) throw changed()
}

/** Emails the practice's admins. */
async function notifyAdmins(
  { mail }: Core,
  { tx, reason, now }: OpsCase,
  context: {
    id: string
    what: 'practice_suspended' | 'practice_resumed'
    actor: Actor
  },
): Promise<void> {
  const { id, what, actor } = context
  const practice = await tx.practice.findUniqueOrThrow({ where: { id } })
  for (const { name, email } of await findPracticePeople(tx, id, ['admin']))
    await mail.enqueue(tx, {
      template: 'operations-notice',
      to: email,
      props: { name, what, about: practice.name, reason, at: now.toISOString() },
      threadId: id,
      correlationId: actor.correlationId,
    })
}
