import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeAuthority } from '../practices/practice-authority.ts'
import { liveGrantWhere, registeredAppWhere } from './grants.ts'

type PracticeGrant = Readonly<{
  /** The newest of this person and app: ending it ends all of them. */
  grantId: string
  clientId: string
  appName: string
  accountId: string
  personName: string
  audience: 'patient' | 'clinician'
  patientId: string | null
  scope: string
  grantedAt: Date
}>

const listedMax = 200

/**
 * One for each person and app, the newest first.
 * @throws Problem `not_found`, `forbidden` (admins only)
 */
export async function list(
  { prisma, clock }: Core,
  practiceId: string,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<PracticeGrant[]> {
  await requirePracticeAuthority(prisma, { practiceId, accountId }, ['admin'])
  const rows = await prisma.grant.findMany({
    where: {
      practiceId,
      audience: { not: 'backend' },
      accountId: { not: null },
      ...liveGrantWhere(clock()),
      ...registeredAppWhere,
    },
    include: { client: { select: { name: true } }, account: { select: { id: true, name: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: listedMax,
  })
  const newest = new Map<string, PracticeGrant>()
  for (const { id, clientId, client, account, audience, patientId, scope, createdAt } of rows) {
    const key = `${clientId} ${account?.id}`
    if (account === null || audience === 'backend' || newest.has(key)) continue
    newest.set(key, {
      grantId: id,
      clientId,
      appName: client.name,
      accountId: account.id,
      personName: account.name,
      audience,
      patientId,
      scope,
      grantedAt: createdAt,
    })
  }
  return [...newest.values()]
}
