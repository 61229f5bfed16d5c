/** A practice's own audit: who saw whose record, and what people changed. For its admins alone. */
import type { AccessEntry, AccessFilter } from '../../audit/access-log.ts'
import * as accessLog from '../../audit/access-log.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeAuthority } from './practice-authority.ts'

type NamedAccess = AccessEntry & { who: string }
type PortalChange = Readonly<{ id: string; at: Date; who: string; action: string; subject: string }>

const fileRowsMax = 50_000
const admins = ['admin'] as const

/** @throws Problem `not_found`, `forbidden` (admins only), `validation` */
export async function access(
  core: Core,
  practiceId: string,
  filter: AccessFilter,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<{ rows: NamedAccess[]; next: string | null }> {
  const { prisma } = core
  await requirePracticeAuthority(prisma, { practiceId, accountId }, admins)
  const { rows, next } = await accessLog.page(core, practiceId, filter)
  const names = await namesOf(core, rows)
  return { rows: rows.map((row) => ({ ...row, who: names.get(row.principalId) ?? row.principalId })), next }
}

/** The same as a file, page by page, 50,000 rows at most. */
export async function* file(
  core: Core,
  practiceId: string,
  filter: AccessFilter,
  reader: Pick<Actor, 'accountId'>,
) {
  let [before, given] = [filter.before, 0]
  do {
    const { rows, next } = await access(core, practiceId, { ...filter, before, limit: 1_000 }, reader)
    yield rows.slice(0, fileRowsMax - given)
    given += rows.length
    before = next ?? undefined
  } while (before !== undefined && given < fileRowsMax)
}

/** Keys by their prefix and owner, apps by their name. */
async function namesOf({ prisma }: Core, rows: readonly AccessEntry[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ principalId }) => principalId))]
  const uuids = ids.filter((id) => uuidPattern.test(id))
  const [keys, grants, clients, accounts] = await Promise.all([
    prisma.apiKey.findMany({
      where: { OR: [{ id: { in: uuids } }, { prefix: { in: ids } }] },
      include: { organization: { select: { name: true } } },
    }),
    prisma.grant.findMany({
      where: { id: { in: uuids } },
      select: { id: true, client: { select: { name: true } } },
    }),
    prisma.client.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } }),
    prisma.account.findMany({ where: { id: { in: uuids } }, select: { id: true, name: true } }),
  ])
  const named = new Map<string, string>()
  for (const { id, prefix, name, organization } of keys) {
    const words = `${name}${organization ? `, ${organization.name}` : ''} (${prefix})`
    named.set(id, words).set(prefix, words)
  }
  for (const { id, client } of grants) named.set(id, client.name)
  for (const { id, name } of [...clients, ...accounts]) named.set(id, name)
  return named
}

/** What people and time did in the portal about this practice, newest first. */
export async function changes(
  { prisma }: Core,
  practiceId: string,
  { before, limit }: { before?: string | undefined; limit: number },
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<{ rows: PortalChange[]; next: string | null }> {
  await requirePracticeAuthority(prisma, { practiceId, accountId }, admins)
  const cursor = before !== undefined && /^\d{1,18}$/.test(before) ? { id: { lt: BigInt(before) } } : {}
  const rows = await prisma.auditEvent.findMany({
    where: { practiceId, ...cursor },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const accounts = await prisma.account.findMany({
    where: {
      id: { in: shown.flatMap(({ actorId }) => (actorId && uuidPattern.test(actorId) ? [actorId] : [])) },
    },
    select: { id: true, name: true, realm: true },
  })
  const names = new Map(accounts.map(({ id, name, realm }) => [id, realm === 'staff' ? 'Sandpiper' : name]))
  const last = shown.at(-1)
  return {
    rows: shown.map(({ id, at, actorKind, actorId, action, subjectKind }) => ({
      id: String(id),
      at,
      who: actorKind === 'system' ? 'Sandpiper' : ((actorId && names.get(actorId)) ?? 'Somebody'),
      action,
      subject: subjectKind,
    })),
    next: rows.length > limit && last ? String(last.id) : null,
  }
}
