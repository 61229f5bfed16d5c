/** Every key and app that can reach a practice, with what it may, what it does, and what it stands on. */
import type { ActivityFilter } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import {
  keyedStates,
  type ProductionKeyState,
  productionKeyTimes,
} from '../../contract/workflows/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { liveGrantWhere, registeredAppWhere } from '../grants/grants.ts'
import { keyState } from '../keys/key-state.ts'
import { requirePracticeRole } from './practice-role.ts'

const dayMs = 86_400_000
const volumeDays = 30

type ReachingKey = Readonly<{
  requestId: string
  version: number
  name: string
  organizationName: string
  state: ProductionKeyState
  level: 'read_only' | 'full'
  purposes: readonly string[]
  dataClasses: readonly string[]
  prefixes: readonly string[]
  lastUsedAt: Date | null
  /** In the last 30 days. */
  served: number
  refused: number
  expiresAt: Date | null
  sponsorName: string | null
  certifyBy: Date | null
}>

/** @throws Problem `not_found` for somebody who does not work there */
export async function read(core: Core, practiceId: string, { accountId }: Pick<Actor, 'accountId'>) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId }, ['admin', 'signatory'])
  const [keys, otherKeys, waiting, systems, apps] = await Promise.all([
    listKeys(core, practiceId),
    listOtherKeys(core, practiceId),
    listWaiting(core, practiceId),
    listSystems(core, practiceId),
    listApps(core, practiceId),
  ])
  return { keys, otherKeys, waiting, systems, apps }
}

async function listKeys(core: Core, practiceId: string): Promise<ReachingKey[]> {
  const { prisma, clock } = core
  const rows = await prisma.productionKeyRequest.findMany({
    where: { practiceId, state: { in: [...keyedStates] } },
    include: { organization: { select: { name: true } }, keys: true },
    orderBy: [{ organization: { name: 'asc' } }, { id: 'asc' }],
  })
  const now = clock()
  const ids = rows.flatMap(({ keys }) => keys.map(({ id }) => id))
  const sponsors = await prisma.account.findMany({
    where: { id: { in: rows.flatMap(({ sponsorId }) => sponsorId ?? []) } },
    select: { id: true, name: true },
  })
  const names = new Map(sponsors.map(({ id, name }) => [id, name]))
  const { lastUsed, volume } = await use(core, ids, now)
  return rows.map((row) => {
    const live = row.keys.filter((key) => ['active', 'suspended'].includes(keyState(key, now)))
    const used = row.keys.flatMap(({ id }) => lastUsed.get(id) ?? []).sort((one, other) => +other - +one)
    const counted = row.keys.flatMap(({ id }) => volume.get(id) ?? [])
    const year = productionKeyTimes.recertifyEveryDays * dayMs
    return {
      requestId: row.id,
      version: row.version,
      name: row.name,
      organizationName: row.organization.name,
      state: row.state as ProductionKeyState,
      level: row.level,
      purposes: row.purposes,
      dataClasses: row.dataClasses,
      prefixes: live.map(({ prefix }) => prefix),
      lastUsedAt: used[0] ?? null,
      served: counted.reduce((sum, { served }) => sum + served, 0),
      refused: counted.reduce((sum, { refused }) => sum + refused, 0),
      expiresAt: row.expiresAt,
      sponsorName: row.sponsorId && row.sponsorEndedAt === null ? (names.get(row.sponsorId) ?? null) : null,
      certifyBy: row.certifiedAt && new Date(row.certifiedAt.getTime() + year),
    }
  })
}

async function use(core: Core, keyIds: readonly string[], now: Date) {
  const [lastUsed, volume] = await Promise.all([
    activityLog.findLastUsed(core, keyIds),
    activityLog.countByDay(core, { keyIds, days: volumeDays, now }),
  ])
  return { lastUsed, volume }
}

/** Keys of the practice that no request of developers stands behind. */
async function listOtherKeys(core: Core, practiceId: string) {
  const { clock, prisma } = core
  const now = clock()
  const keys = await prisma.apiKey.findMany({
    where: { practiceId, productionRequestId: null, revokedAt: null, expiresAt: { gt: now } },
    include: { organization: { select: { name: true } } },
    orderBy: { createdAt: 'asc' },
    take: 10_000,
  })
  const { lastUsed } = await use(
    core,
    keys.map(({ id }) => id),
    now,
  )
  return keys.map(({ id, name, prefix, level, organization, expiresAt }) => ({
    id,
    name,
    prefix,
    level,
    organizationName: organization?.name ?? 'Sandpiper',
    lastUsedAt: lastUsed.get(id) ?? null,
    expiresAt,
  }))
}

/** What an admin is asked to answer, the oldest first. */
async function listWaiting({ prisma }: Core, practiceId: string) {
  const rows = await prisma.productionKeyRequest.findMany({
    where: { practiceId, state: { in: ['sponsor_invited', 'renewal_invited'] } },
    include: { organization: { select: { name: true } } },
    orderBy: { invitedAt: 'asc' },
  })
  return rows.map((row) => ({
    requestId: row.id,
    name: row.name,
    organizationName: row.organization.name,
    level: row.level,
    renewal: row.renewsId !== null,
    answerBy: new Date((row.invitedAt ?? row.createdAt).getTime() + productionKeyTimes.sponsorDays * dayMs),
  }))
}

async function listSystems({ prisma }: Core, practiceId: string) {
  const rows = await prisma.practiceSystemAuthorization.findMany({
    where: { practiceId, state: 'granted' },
    include: {
      client: { select: { name: true, organization: { select: { name: true } } } },
      grant: {
        include: { accessTokens: { orderBy: { createdAt: 'desc' }, take: 1, select: { createdAt: true } } },
      },
    },
    orderBy: { requestedAt: 'asc' },
  })
  return rows.map((row) => ({
    id: row.id,
    name: row.client.name,
    organizationName: row.client.organization?.name ?? 'Sandpiper',
    purpose: row.purpose,
    lastUsedAt: row.grant?.accessTokens[0]?.createdAt ?? null,
  }))
}

/** Apps that can read for patients and clinicians now, with how many people each; no person is named. */
async function listApps({ prisma, clock }: Core, practiceId: string) {
  // One row a person: somebody who allowed an app five times is one of its people.
  const rows = await prisma.grant.groupBy({
    by: ['clientId', 'accountId'],
    where: { practiceId, audience: { not: 'backend' }, ...liveGrantWhere(clock()), ...registeredAppWhere },
  })
  const people = new Map<string, number>()
  for (const { clientId } of rows) people.set(clientId, (people.get(clientId) ?? 0) + 1)
  const clients = await prisma.client.findMany({
    where: { id: { in: [...people.keys()] } },
    select: { id: true, name: true, audience: true, organization: { select: { name: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return clients.map(({ id, name, audience, organization }) => ({
    clientId: id,
    audience,
    name,
    organizationName: organization?.name ?? 'Sandpiper',
    people: people.get(id) ?? 0,
  }))
}

/**
 * What a key that reaches the practice did, newest first; the practice reads it as its owner does.
 * @throws Problem `not_found` for a key of another practice
 */
export async function activity(
  core: Core,
  { keyId, ...filter }: { keyId: string } & ActivityFilter,
  { accountId }: Pick<Actor, 'accountId'>,
) {
  const { prisma } = core
  const key = uuidPattern.test(keyId)
    ? await prisma.apiKey.findUnique({
        where: { id: keyId },
        include: { organization: { select: { name: true } }, practice: { select: { name: true } } },
      })
    : null
  if (!key) throw new Problem('not_found')
  await requirePracticeRole(prisma, { practiceId: key.practiceId, accountId }, ['admin'])
  return { key, ...(await activityLog.page(core, { keyId, ...filter })) }
}
