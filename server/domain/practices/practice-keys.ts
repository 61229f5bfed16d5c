/** A key as its practice changes it, what shares the change, and who is notified. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Core } from '../core.ts'

export type KeyOfPractice = Readonly<{ practiceId: string; keyId: string }>

export const practiceKeyIncludes = {
  organization: { select: { id: true, name: true } },
  practice: { select: { name: true } },
  productionRequest: { select: { id: true, dataClasses: true, purposes: true } },
} as const satisfies Prisma.ApiKeyInclude

export type PracticeKey = Prisma.ApiKeyGetPayload<{ include: typeof practiceKeyIncludes }>

/** @throws Problem `not_found`, and `conflict` (changed meanwhile, ended) */
export async function lockKey(
  tx: Prisma.TransactionClient,
  target: KeyOfPractice & Readonly<{ version: number }>,
  now: Date,
): Promise<PracticeKey> {
  if (uuidPattern.test(target.keyId))
    await tx.$queryRaw`SELECT 1 FROM portal.api_key WHERE id = ${target.keyId}::uuid FOR UPDATE`
  const row = await findKey(tx, target)
  if (row.version !== target.version)
    throw new Problem('conflict', {
      message: 'Someone changed the key. Check the page again, then decide.',
    })
  if (row.revokedAt !== null || row.expiresAt <= now)
    throw new Problem('conflict', { message: 'The key has ended.' })
  return row
}

export async function findKey(
  db: Prisma.TransactionClient,
  { practiceId, keyId }: KeyOfPractice,
): Promise<PracticeKey> {
  const row = uuidPattern.test(keyId)
    ? await db.apiKey.findFirst({
        where: { id: keyId, practiceId, explorer: false },
        include: practiceKeyIncludes,
      })
    : null
  if (!row) throw new Problem('not_found')
  return row
}

/** The key, and during a rotation the other one; the keys of a production request share their access. */
export async function relatedKeys(tx: Prisma.TransactionClient, row: PracticeKey): Promise<string[]> {
  const rows = await tx.apiKey.findMany({
    where: {
      practiceId: row.practiceId,
      revokedAt: null,
      OR: [
        { id: row.id },
        { replacesId: row.id },
        ...(row.replacesId ? [{ id: row.replacesId }] : []),
        ...(row.productionRequestId ? [{ productionRequestId: row.productionRequestId }] : []),
      ],
    },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  return rows.map(({ id }) => id)
}

/** What the practice's admins changed of a key, the newest first. */
export async function readChanges<Detail extends object>(
  prisma: Core['prisma'],
  keyId: string,
  action: string,
) {
  const events = await prisma.auditEvent.findMany({
    where: { action, subjectKind: 'api_key', subjectId: keyId },
    orderBy: { id: 'desc' },
    take: 20,
  })
  const people = await prisma.account.findMany({
    where: {
      id: { in: events.flatMap(({ actorId }) => (actorId && uuidPattern.test(actorId) ? [actorId] : [])) },
    },
    select: { id: true, name: true },
  })
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return events.map(({ id, at, actorId, detail }) => {
    const said = (detail ?? {}) as Detail & { reason?: string }
    return {
      id: String(id),
      at,
      by: (actorId && names.get(actorId)) || 'Sandpiper',
      reason: said.reason ?? '',
      detail: said,
    }
  })
}

export async function findReaders(
  tx: Prisma.TransactionClient,
  { practiceId, organizationId }: Pick<PracticeKey, 'practiceId' | 'organizationId'>,
): Promise<{ name: string; email: string; side: 'developer' | 'practice' }[]> {
  const account = { select: { name: true, email: true } } as const
  const [admins, members] = await Promise.all([
    tx.practiceMembership.findMany({
      where: { practiceId, role: 'admin', account: { disabledAt: null } },
      select: { account },
      orderBy: { accountId: 'asc' },
    }),
    organizationId === null
      ? []
      : tx.membership.findMany({
          where: { organizationId, role: { in: ['owner', 'admin'] }, account: { disabledAt: null } },
          select: { account },
          orderBy: { accountId: 'asc' },
        }),
  ])
  return [
    ...members.map((each) => ({ ...each.account, side: 'developer' as const })),
    ...admins.map((each) => ({ ...each.account, side: 'practice' as const })),
  ]
}
