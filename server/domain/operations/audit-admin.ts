/** The portal's audit, for operations: search, download as a file, and checks of its chain. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Verdict } from '../../audit/verify-chain.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type OpsAct, opsActions } from '../../contract/portal/ops-actions.ts'
import { accountNames } from '../accounts/account-names.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { act, permit } from './ops-act.ts'

type AuditSearch = {
  /** The id of an account, key or app; or the email address of an account. */
  who?: string
  /** An action such as `api_key.revoked`, or its beginning: `api_key`. */
  action?: string
  /** The kind or id of the subject. */
  subject?: string
  from?: Date
  to?: Date
  /** Only rows before this one. */
  before?: string
  limit: number
}

type ChainCheck = Readonly<{ verdict: Verdict; at: Date; by: string }>

const limitMax = 500

/** Audit rows, the newest first. @throws Problem `forbidden` */
export async function search(core: Core, filter: AuditSearch, actor: { accountId: string }) {
  const { prisma } = core
  await requireStaff(prisma, actor, ['ops'])
  const limit = Math.min(Math.max(Math.trunc(filter.limit), 1), limitMax)
  const where = await conditionsOf(core, filter)
  const found = await prisma.auditEvent.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 })
  const rows = found.slice(0, limit)
  const names = await accountNames(
    prisma,
    rows.map(({ actorId }) => actorId),
  )
  return {
    rows: rows.map((row) => ({
      id: row.id.toString(),
      at: row.at,
      actorKind: row.actorKind,
      actorId: row.actorId,
      /** The name of the account, if it still exists. */
      actor: names.get(row.actorId ?? '') ?? null,
      action: row.action,
      subjectKind: row.subjectKind,
      subjectId: row.subjectId,
      detail: JSON.stringify(row.detail),
      ip: row.ip,
      correlationId: row.correlationId,
      /** Its number in the chain; null if it is not sealed yet. */
      chainNumber: row.chainNumber?.toString() ?? null,
    })),
    next: found.length > limit ? (rows.at(-1)?.id.toString() ?? null) : null,
  }
}

/** Rows for a file, page by page to limit memory, ten thousand at most. */
export async function* file(core: Core, filter: Omit<AuditSearch, 'limit'>, actor: { accountId: string }) {
  let before = filter.before
  for (let pages = 0; pages < 20; pages++) {
    const page = await search(core, { ...filter, ...(before ? { before } : {}), limit: limitMax }, actor)
    yield page.rows
    if (page.next === null) return
    before = page.next
  }
}

async function conditionsOf(core: Core, filter: AuditSearch): Promise<Prisma.AuditEventWhereInput> {
  const { who, action, subject, from, to, before } = filter
  if (before !== undefined && !/^\d{1,18}$/.test(before)) throw new Problem('validation', { field: 'before' })
  return {
    AND: [
      who ? { actorId: { in: await actorsNamed(core, who) } } : {},
      action ? { OR: [{ action }, { action: { startsWith: `${action}.` } }] } : {},
      subject ? { OR: [{ subjectKind: subject }, { subjectId: subject }] } : {},
      from ? { at: { gte: from } } : {},
      to ? { at: { lt: to } } : {},
      before ? { id: { lt: BigInt(before) } } : {},
    ],
  }
}

async function actorsNamed({ prisma }: Core, who: string): Promise<string[]> {
  if (!who.includes('@')) return [who]
  const accounts = await prisma.account.findMany({
    where: { email: who.toLowerCase() },
    select: { id: true },
  })
  return accounts.map(({ id }) => id)
}

/**
 * Checks every row, every head and the head folders. The result is an audit row too, so that the page and the metrics
 * can report the last check.
 */
export async function checkChain(
  core: Core,
  { reason }: Pick<OpsAct, 'reason'>,
  actor: Actor,
): Promise<Verdict> {
  const { sealer } = core
  await permit(core, reason, actor)
  const verdict = await sealer.verify()
  await act(core, 'check_chain', reason, actor, async () => ({
    subject: { kind: 'audit', id: null },
    detail: { verdict: { ...verdict } },
  }))
  return verdict
}

/** Checks the chain once a day, so that a change is noticed without a person's check. */
export async function checkChainDaily({ sealer, prisma, portalAudit }: Core): Promise<Verdict> {
  const verdict = await sealer.verify()
  await prisma.$transaction((tx) =>
    portalAudit.append(tx, {
      ...portalAudit.system(),
      action: opsActions.check_chain.audit,
      subject: { kind: 'audit', id: null },
      detail: { verdict: { ...verdict } },
    }),
  )
  return verdict
}

/** The result of the last check; null if there was none. @throws Problem `forbidden` */
export async function lastCheck({ prisma }: Core, actor: { accountId: string }): Promise<ChainCheck | null> {
  await requireStaff(prisma, actor, ['ops'])
  const row = await prisma.auditEvent.findFirst({
    where: { action: 'audit.chain_checked' },
    orderBy: { id: 'desc' },
  })
  if (!row) return null
  const by = row.actorId ? await prisma.account.findUnique({ where: { id: row.actorId } }) : null
  const { verdict } = row.detail as { verdict: Verdict }
  const withoutName = row.actorKind === 'system' ? 'the daily check' : 'a former colleague'
  return { verdict, at: row.at, by: by?.name ?? withoutName }
}
