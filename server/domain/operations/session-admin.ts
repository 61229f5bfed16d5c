/** Who is signed in, for operations, and the end of it. */

import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { OpsAct } from '../../contract/portal/ops-actions.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { type Realm, realms } from '../../contract/portal/realms.ts'
import { describeDevice } from '../../contract/text/device.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { act } from './ops-act.ts'

/**
 * Live sessions, the latest used first, and how many there are by realm; searched by name and address.
 * @throws Problem `forbidden`
 */
export async function list(
  { prisma, clock }: Core,
  { realm, ask = firstPage }: { realm: Realm | null; ask?: PageAsk },
  actor: Actor,
) {
  await requireStaff(prisma, actor, ['ops'])
  const live = { expiresAt: { gt: clock() } }
  const where: Prisma.SessionWhereInput = {
    ...live,
    ...(realm ? { realm } : {}),
    ...searchWhere<Prisma.SessionWhereInput>(ask.q, (like) => [
      { account: { name: like } },
      { account: { email: like } },
    ]),
  }
  const [listed, counts] = await Promise.all([
    readPage(
      ask,
      () => prisma.session.count({ where }),
      (window) =>
        prisma.session.findMany({
          where,
          include: { account: { select: { name: true, email: true } } },
          orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }],
          ...window,
        }),
    ),
    prisma.session.groupBy({ by: ['realm'], where: live, _count: true }),
  ])
  const byRealm = new Map(counts.map((each) => [each.realm, each._count]))
  return {
    sessions: {
      ...listed,
      rows: listed.rows.map(({ account, ...row }) => ({
        id: row.id,
        accountId: row.accountId,
        realm: row.realm,
        ...account,
        device: describeDevice(row.userAgent),
        ip: row.ip,
        createdAt: row.createdAt,
        lastSeenAt: row.lastSeenAt,
        expiresAt: row.expiresAt,
        // The very session that asks.
        own: row.id === actor.sessionId,
      })),
    },
    counts: (Object.keys(realms) as Realm[]).map((each) => ({ realm: each, live: byRealm.get(each) ?? 0 })),
  }
}

/** Its next request is signed out. @throws Problem `not_found` when it has ended already */
export function endOne(core: Core, { id, reason }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'end_session', reason, actor, async ({ tx }) => {
    const session = await tx.session.findUnique({ where: { id: rowId(id) } })
    const ended = session ? await tx.session.deleteMany({ where: { id } }) : { count: 0 }
    if (!session || ended.count === 0)
      throw new Problem('not_found', { message: 'The session has already ended.' })
    const { accountId, realm } = session
    return { subject: { kind: 'account', id: accountId }, detail: { realm, sessionId: id } }
  })
}

/** Every device of an account. @throws Problem `not_found` for no account */
export function endAll(core: Core, { id, reason }: OpsAct, actor: Actor): Promise<void> {
  return act(core, 'end_sessions', reason, actor, async ({ tx }) => {
    const account = await tx.account.findUnique({ where: { id: rowId(id) } })
    if (!account) throw new Problem('not_found')
    const { count } = await tx.session.deleteMany({ where: { accountId: id } })
    return { subject: { kind: 'account', id }, detail: { realm: account.realm, sessions: count } }
  })
}
