/**
 * A practice stops an app, a key, an organization or all access, and resumes it. A stop does not change the credentials
 * that it covers: while it is open, `clinical.live` refuses them.
 */
import type { PracticeStop, Prisma } from '../../../prisma/generated/client/client.ts'
import type { StopScope } from '../../contract/forms/practice-stops.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { withRetry } from '../../store/retry.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { checkReason } from '../text-scan/check-text.ts'
import { findOrganizations, findReaching } from './practice-access.ts'
import { requirePracticeRole } from './practice-role.ts'

type StopTarget = Readonly<
  { scope: 'everything'; confirmName: string } | { scope: Exclude<StopScope, 'everything'>; id: string }
>

const targets = {
  client: { select: { name: true } },
  key: { select: { name: true } },
  organization: { select: { name: true } },
  practice: { select: { name: true } },
} as const satisfies Prisma.PracticeStopInclude

/**
 * Open stops, the newest first, and the organizations that can be stopped.
 * @throws Problem `not_found` unless the person works at the practice, `forbidden` for clinicians
 */
export async function list(core: Core, practiceId: string, { accountId }: Pick<Actor, 'accountId'>) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId }, ['admin', 'signatory'])
  type Stop = {
    id: string
    targetId: string
    name: string
    reason: string
    startedAt: Date
    startedBy: string
  }
  const [rows, organizations] = await Promise.all([
    prisma.$queryRaw<(Stop & Scoped)[]>`
      SELECT s.id, s.client_id AS "clientId", s.key_id AS "keyId", s.organization_id AS "organizationId",
             coalesce(s.client_id, s.key_id::text, s.organization_id::text, s.practice_id::text) AS "targetId",
             coalesce(c.name, k.name, o.name, p.name) AS name, s.reason, s.started_at AS "startedAt",
             coalesce(a.name, 'A former admin') AS "startedBy"
        FROM portal.practice_stop s
        JOIN portal.practice p ON p.id = s.practice_id
        LEFT JOIN portal.client c ON c.id = s.client_id
        LEFT JOIN portal.api_key k ON k.id = s.key_id
        LEFT JOIN portal.organization o ON o.id = s.organization_id
        LEFT JOIN portal.account a ON a.id = s.started_by_id
       WHERE s.practice_id = ${practiceId}::uuid AND s.ended_at IS NULL
       ORDER BY s.started_at DESC, s.id DESC`,
    findOrganizations(core, prisma, practiceId),
  ])
  const stops = rows.map(({ clientId, keyId, organizationId, ...stop }) => ({
    ...stop,
    scope: scopeOf({ clientId, keyId, organizationId }),
  }))
  return { stops, organizations }
}

/**
 * The name of an app, a key or an organization that an admin wants to stop; null if it has no access to the practice.
 * @throws Problem `not_found`, `forbidden` (admins only)
 */
export async function findName(
  core: Core,
  practiceId: string,
  { scope, id }: Readonly<{ scope: 'app' | 'key' | 'organization'; id: string }>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<string | null> {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId }, ['admin'])
  if (!mayBeId(scope, id)) return null
  if (scope === 'organization')
    return (await findOrganizations(core, prisma, practiceId)).find((row) => row.id === id)?.name ?? null
  const found = await findReaching(
    core,
    prisma,
    practiceId,
    scope === 'key' ? { keyId: id } : { clientId: id },
  )
  return found?.name ?? null
}

/** Other text must not reach the database, which rejects some characters. */
const mayBeId = (scope: StopScope, id: string) =>
  !id.includes('\0') && (scope === 'app' || uuidPattern.test(id))

/**
 * Stops access from the next call on. Owners and admins of the organizations get an email with the reason.
 * @returns the stop's id
 * @throws Problem `not_found` (also if the target has no access to the practice), `forbidden` (admins only; step-up, with
 *   the field `stepUp`), `validation` (the reason, the typed name), `conflict` (stopped already)
 */
export async function stop(
  core: Core,
  input: Readonly<{ practiceId: string; target: StopTarget; reason: string }>,
  actor: Actor,
): Promise<string> {
  const { prisma, clock, portalAudit } = core
  const { practiceId, target } = input
  const reason = checkReason(input.reason, actor)
  await requireAdmin(core, practiceId, actor)
  return withRetry(prisma, async (tx) => {
    const found = await findTarget(core, tx, practiceId, target)
    const now = clock()
    const { id } = await tx.practiceStop
      .create({
        data: { practiceId, ...found.columns, reason, startedAt: now, startedById: actor.accountId },
        select: { id: true },
      })
      .catch((thrown: unknown) => {
        if (isUniqueViolation(thrown))
          throw new Problem('conflict', { message: 'This access is stopped already.' })
        throw thrown
      })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      ...(found.organizationId ? { organizationId: found.organizationId } : {}),
      action: 'practice.access_stopped',
      subject: { kind: 'practice_stop', id },
      detail: { scope: target.scope, name: found.name, reason },
    })
    await notify(core, tx, { what: 'stopped', practiceId, found, reason, now, actor })
    return id
  })
}

/**
 * Resumes access from the next call on. Credentials that were revoked in the meantime stay revoked.
 * @throws Problem `not_found`, `forbidden` (admins only; step-up, with the field `stepUp`), `conflict` (resumed already)
 */
export async function resume(
  core: Core,
  { practiceId, stopId }: Readonly<{ practiceId: string; stopId: string }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requireAdmin(core, practiceId, actor)
  if (!uuidPattern.test(stopId)) throw new Problem('not_found')
  await withRetry(prisma, async (tx) => {
    const now = clock()
    const row = await tx.practiceStop.findFirst({
      where: { id: stopId, practiceId },
      include: {
        ...targets,
        client: { select: { name: true, organizationId: true } },
        key: { select: { name: true, organizationId: true } },
      },
    })
    if (!row) throw new Problem('not_found')
    const { count } = await tx.practiceStop.updateMany({
      where: { id: stopId, endedAt: null },
      data: { endedAt: now, endedById: actor.accountId },
    })
    if (count === 0) throw new Problem('conflict', { message: 'This access was resumed already.' })
    const scope = scopeOf(row)
    const organizationId = row.organizationId ?? row.client?.organizationId ?? row.key?.organizationId ?? null
    const name = (row.client ?? row.key ?? row.organization ?? row.practice).name
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      ...(organizationId ? { organizationId } : {}),
      action: 'practice.access_resumed',
      subject: { kind: 'practice_stop', id: stopId },
      detail: { scope, name },
    })
    const found = { scope, name, organizationId }
    await notify(core, tx, { what: 'resumed', practiceId, found, reason: row.reason, now, actor })
  })
}

async function requireAdmin({ prisma, clock }: Core, practiceId: string, actor: Actor): Promise<void> {
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  requireStepUp(actor, clock())
}

type Scoped = Pick<PracticeStop, 'clientId' | 'keyId' | 'organizationId'>

function scopeOf(row: Scoped): StopScope {
  if (row.clientId !== null) return 'app'
  if (row.keyId !== null) return 'key'
  return row.organizationId === null ? 'everything' : 'organization'
}

type Found = Readonly<{ scope: StopScope; name: string; organizationId: string | null }>

/** @throws Problem `not_found`, `validation` */
async function findTarget(core: Core, tx: Prisma.TransactionClient, practiceId: string, target: StopTarget) {
  const { scope } = target
  if (scope === 'everything') {
    const { name } = await tx.practice.findUniqueOrThrow({ where: { id: practiceId } })
    if (target.confirmName.trim().toLowerCase() !== name.trim().toLowerCase())
      throw new Problem('validation', { field: 'confirmName', message: `Enter “${name}” to confirm.` })
    return { scope, name, organizationId: null, columns: {} }
  }
  const { id } = target
  if (!mayBeId(scope, id)) throw new Problem('not_found')
  if (scope === 'organization') {
    const organizations = await findOrganizations(core, tx, practiceId)
    const organization = organizations.find((candidate) => candidate.id === id)
    if (!organization) throw new Problem('not_found')
    return { scope, name: organization.name, organizationId: id, columns: { organizationId: id } }
  }
  // A rotation locks the key's row too, so it either sees the stop or comes before it.
  if (scope === 'key') await tx.$queryRaw`SELECT 1 FROM portal.api_key WHERE id = ${id}::uuid FOR UPDATE`
  const found = await findReaching(core, tx, practiceId, scope === 'key' ? { keyId: id } : { clientId: id })
  if (!found) throw new Problem('not_found')
  return { ...found, scope, columns: scope === 'key' ? { keyId: id } : { clientId: id } }
}

/** Sends one email for each person and organization. */
async function notify(
  core: Core,
  tx: Prisma.TransactionClient,
  context: Readonly<{
    what: 'stopped' | 'resumed'
    practiceId: string
    found: Found
    reason: string
    now: Date
    actor: Actor
  }>,
): Promise<void> {
  const { what, practiceId, found, reason, now, actor } = context
  const organizationIds =
    found.scope === 'everything'
      ? (await findOrganizations(core, tx, practiceId)).map(({ id }) => id)
      : found.organizationId === null
        ? []
        : [found.organizationId]
  if (organizationIds.length === 0) return
  const practice = await tx.practice.findUniqueOrThrow({ where: { id: practiceId } })
  const members = await tx.membership.findMany({
    where: {
      organizationId: { in: organizationIds },
      role: { in: ['owner', 'admin'] },
      account: { disabledAt: null },
    },
    select: {
      account: { select: { name: true, email: true } },
      organization: { select: { name: true } },
    },
    orderBy: [{ organizationId: 'asc' }, { accountId: 'asc' }],
  })
  for (const { account, organization } of members)
    await core.mail.enqueue(tx, {
      template: 'practice-access',
      to: account.email,
      props: {
        name: account.name,
        what,
        scope: found.scope,
        about: found.scope === 'app' || found.scope === 'key' ? found.name : organization.name,
        practiceName: practice.name,
        reason: reason.replace(/\s+/gu, ' '),
        at: now.toISOString(),
      },
      correlationId: actor.correlationId,
    })
}
