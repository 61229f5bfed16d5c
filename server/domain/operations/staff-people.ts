/** Staff accounts in the operators' console. Every role takes two operators: one requests it, another one approves it. */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import { nobodysPassword } from '../../auth/password.ts'
import { roleRequestDays, type StaffRole, staffForm, staffRoleForm } from '../../contract/forms/operations.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { OpsAct, OpsAction } from '../../contract/portal/ops-actions.ts'
import { type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { act, changed, type OpsCase, type OpsOutcome, parseActFields } from './ops-act.ts'
import { sendLink } from './staff-admin.ts'

type Decision = 'approved' | 'rejected' | 'withdrawn'

/** A page of staff by name, with search by name and address; and the open role requests. @throws Problem `forbidden` */
export async function list({ prisma, clock }: Core, ask: PageAsk, actor: { accountId: string }) {
  await requireStaff(prisma, actor, ['ops'])
  const where: Prisma.AccountWhereInput = {
    realm: 'staff',
    ...searchWhere(ask.q, (like) => [{ name: like }, { email: like }]),
  }
  const [listed, requests] = await Promise.all([
    readPage(
      ask,
      () => prisma.account.count({ where }),
      (window) =>
        prisma.account.findMany({
          where,
          orderBy: [{ name: 'asc' }, { id: 'asc' }],
          ...window,
        }),
    ),
    prisma.staffRoleRequest.findMany({
      where: { state: 'open', expiresAt: { gt: clock() } },
      include: {
        account: { select: { name: true, email: true } },
        requestedBy: { select: { name: true } },
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: 100,
    }),
  ])
  const waiting = new Set(requests.map(({ accountId }) => accountId))
  return {
    listed: {
      ...listed,
      rows: listed.rows.map((account) => ({
        id: account.id,
        version: account.version,
        name: account.name,
        email: account.email,
        role: account.staffRole,
        state: stateOf(account),
        isDemo: account.isDemo,
        own: account.id === actor.accountId,
        roleRequested: waiting.has(account.id),
      })),
    },
    requests: requests.map(({ account, requestedBy, ...request }) => ({
      id: request.id,
      role: request.role,
      name: account.name,
      email: account.email,
      reason: request.reason,
      requestedBy: requestedBy.name,
      createdAt: request.createdAt,
      expiresAt: request.expiresAt,
      own: request.requestedById === actor.accountId,
      decidable: request.requestedById !== actor.accountId && request.accountId !== actor.accountId,
    })),
  }
}

/**
 * Creates an account without a role and a password. Once another operator approves the role, the link is emailed.
 * @throws Problem `validation` (a field), `conflict` if the address belongs to staff already
 */
export function create(core: Core, { reason, fields }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'create_staff', reason, actor, async (context) => {
    const { email, name, role } = parseActFields(staffForm, fields)
    if ((await context.tx.account.count({ where: { realm: 'staff', email } })) > 0)
      throw new Problem('conflict', {
        field: 'email',
        message: 'This email address belongs to another staff account.',
      })
    const account = await context.tx.account.create({
      data: { realm: 'staff', email, name, passwordHash: nobodysPassword, createdAt: context.now },
    })
    const requestId = await openRequest(context, account.id, role, actor)
    return { subject: subjectOf(account.id), detail: { requestId, role } }
  })
}

/** @throws Problem `not_found`, `conflict` if a password was chosen already */
export function resendLink(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'resend_staff_link', reason, actor, async ({ tx }) => {
    const account = await getAccount(tx, id, version)
    if (stateOf(account) !== 'invited' || account.staffRole === null)
      throw changed('Only an account with a role and without a password gets a link.')
    await sendLink(core, tx, account, account.staffRole, actor.correlationId)
    return { subject: subjectOf(id), detail: { role: account.staffRole } }
  })
}

/** @throws Problem `not_found`, `validation` (the role), `conflict` */
export function requestRole(core: Core, { id, version, reason, fields }: OpsAct, actor: Actor) {
  return staffAct(core, 'request_staff_role', reason, actor, async (context) => {
    const account = await getAccount(context.tx, id, version)
    const { role } = parseActFields(staffRoleForm, fields)
    if (id === actor.accountId) throw changed('You cannot request a role for your own account.')
    if (account.disabledAt) throw changed('Enable this account before you request a role for it.')
    if (account.staffRole === role)
      throw new Problem('conflict', { field: 'role', message: 'This person already has this role.' })
    const requestId = await openRequest(context, id, role, actor)
    return { subject: subjectOf(id), detail: { requestId, role } }
  })
}

/** Gives the role in place of an earlier one. @throws Problem `not_found`, `conflict` unless a second person approves */
export function approveRole(core: Core, { id, reason }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'approve_staff_role', reason, actor, async (context) => {
    const request = await decide(context, id, actor, 'approved')
    const { accountId, role, requestedById } = request
    const account = await context.tx.account.findUniqueOrThrow({ where: { id: accountId } })
    if ((await context.tx.account.count({ where: { ...operators, id: requestedById } })) === 0)
      throw changed('The person who requested this role is not an operator now. Reject the request.')
    if (account.staffRole === 'ops') await keepAnOperator(context.tx, accountId)
    await context.tx.account.update({
      where: { id: accountId },
      data: { staffRole: role, version: { increment: 1 } },
    })
    if (account.passwordHash === nobodysPassword)
      await sendLink(core, context.tx, account, role, actor.correlationId)
    return {
      subject: subjectOf(accountId),
      detail: { requestId: id, role, from: account.staffRole, requestedById },
    }
  })
}

/** @throws Problem `not_found`, `conflict` if the actor requested the role, or would get it */
export function rejectRole(core: Core, { id, reason }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'reject_staff_role', reason, actor, async (context) => {
    const { accountId, role, requestedById } = await decide(context, id, actor, 'rejected')
    return { subject: subjectOf(accountId), detail: { requestId: id, role, requestedById } }
  })
}

/** @throws Problem `not_found`, `conflict` if another person requested it */
export function withdrawRole(core: Core, { id, reason }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'withdraw_staff_role', reason, actor, async (context) => {
    const { accountId, role } = await decide(context, id, actor, 'withdrawn')
    return { subject: subjectOf(accountId), detail: { requestId: id, role } }
  })
}

/** @throws Problem `not_found`, `conflict` for the last active operator */
export function removeRole(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'remove_staff_role', reason, actor, async (context) => {
    const { staffRole } = await getAccount(context.tx, id, version)
    if (staffRole === null) throw changed('This account has no role.')
    await takeRole(context, id, staffRole, {})
    return { subject: subjectOf(id), detail: { role: staffRole } }
  })
}

/**
 * Ends the account's sessions and removes its role, so that enabling it later does not restore the role without a
 * second person.
 * @throws Problem `not_found`, `conflict` for the last active operator
 */
export function disable(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'disable_staff', reason, actor, async (context) => {
    const account = await getAccount(context.tx, id, version)
    if (account.disabledAt) throw changed('This account is already disabled.')
    await takeRole(context, id, account.staffRole, { disabledAt: context.now })
    const { count } = await context.tx.session.deleteMany({ where: { accountId: id } })
    await context.tx.linkToken.updateMany({
      where: { accountId: id, consumedAt: null, replacedAt: null },
      data: { replacedAt: context.now },
    })
    return { subject: subjectOf(id), detail: { role: account.staffRole, sessions: count } }
  })
}

/** Enables the account without a role. @throws Problem `not_found`, `conflict` */
export function enable(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  return staffAct(core, 'enable_staff', reason, actor, async ({ tx }) => {
    const account = await getAccount(tx, id, version)
    if (!account.disabledAt) throw changed('This account is not disabled.')
    // Accounts that were disabled elsewhere can still have a role.
    await tx.account.update({
      where: { id },
      data: { disabledAt: null, staffRole: null, version: { increment: 1 } },
    })
    return { subject: subjectOf(id) }
  })
}

/** A lock runs one act at a time: two can't remove the last two operators, or approve and withdraw the same request. */
function staffAct(
  core: Core,
  action: OpsAction,
  reason: string,
  actor: Actor,
  work: (context: OpsCase) => Promise<OpsOutcome>,
): Promise<void> {
  return act(core, action, reason, actor, async (context) => {
    await context.tx
      .$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('sandpiper staff accounts', 0))`
    // An act that held the lock before may have removed the actor's role.
    await requireStaff(context.tx, actor, ['ops'])
    return work(context)
  })
}

async function openRequest(context: OpsCase, accountId: string, role: StaffRole, actor: Actor) {
  const { tx, now, reason } = context
  const open = { accountId, state: 'open' }
  await tx.staffRoleRequest.updateMany({
    where: { ...open, expiresAt: { lte: now } },
    data: { state: 'expired' },
  })
  if ((await tx.staffRoleRequest.count({ where: open })) > 0)
    throw changed('A role is already requested for this person.')
  const expiresAt = new Date(now.getTime() + roleRequestDays * 86_400_000)
  const data = { ...open, role, reason, requestedById: actor.accountId, createdAt: now, expiresAt }
  const { id } = await tx.staffRoleRequest.create({ data, select: { id: true } })
  return id
}

async function decide({ tx, now }: OpsCase, id: string, actor: Actor, decision: Decision) {
  const request = await tx.staffRoleRequest.findUnique({ where: { id: rowId(id) } })
  if (!request) throw new Problem('not_found')
  if (request.state !== 'open') throw changed('This request is already closed.')
  if (request.expiresAt <= now) throw changed('This request has expired. Request the role again.')
  const isRequester = request.requestedById === actor.accountId
  if (decision === 'withdrawn' && !isRequester)
    throw changed('Only the person who requested this role can withdraw it.')
  if (decision !== 'withdrawn' && (isRequester || request.accountId === actor.accountId))
    throw changed('Another operator has to decide this request.')
  return tx.staffRoleRequest.update({
    where: { id },
    data: { state: decision, decidedById: actor.accountId, decidedAt: now },
  })
}

async function takeRole(
  { tx, now }: OpsCase,
  id: string,
  role: StaffRole | null,
  changes: Prisma.AccountUpdateInput,
): Promise<void> {
  if (role === 'ops') await keepAnOperator(tx, id)
  await tx.account.update({ where: { id }, data: { ...changes, staffRole: null, version: { increment: 1 } } })
  await tx.staffRoleRequest.updateMany({
    where: { accountId: id, state: 'open' },
    data: { state: 'cancelled', decidedAt: now },
  })
}

type Tx = Prisma.TransactionClient

async function getAccount(tx: Tx, id: string, version: number): Promise<Account> {
  const account = await tx.account.findFirst({ where: { id: rowId(id), realm: 'staff' } })
  if (!account) throw new Problem('not_found')
  if (account.isDemo) throw changed('This is a demonstration account. It cannot be changed here.')
  if (account.version !== version) throw changed()
  return account
}

/** @throws Problem `conflict` if no other operator can sign in. Demonstration accounts do not count. */
async function keepAnOperator(tx: Tx, exceptId: string): Promise<void> {
  const others = await tx.account.count({
    where: { ...operators, isDemo: false, passwordHash: { not: nobodysPassword }, id: { not: exceptId } },
  })
  if (others === 0) throw changed('This is the last active operator. Add another operator first.')
}

const operators = { realm: 'staff', staffRole: 'ops', disabledAt: null } as const

function stateOf(account: Pick<Account, 'disabledAt' | 'passwordHash'>): 'disabled' | 'invited' | 'active' {
  if (account.disabledAt) return 'disabled'
  return account.passwordHash === nobodysPassword ? 'invited' : 'active'
}

const subjectOf = (id: string) => ({ kind: 'account', id })
