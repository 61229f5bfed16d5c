/** What a practice lets a key read: shown, and changed within what was agreed. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type DataClass, dataClasses, dataClassNames } from '../../contract/keys/data-classes.ts'
import { type KeyAccess, toKeyAccess } from '../../contract/keys/key-access.ts'
import { type Purpose, purposeNames } from '../../contract/rest/purposes.ts'
import { withRetry } from '../../store/retry.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import {
  checkKeyChange,
  findKey,
  findReaders,
  type KeyOfPractice,
  lockKey,
  type PracticeKey,
  practiceKeyIncludes,
  readChanges,
  relatedKeys,
} from './practice-keys.ts'
import { requirePracticeRole } from './practice-role.ts'

/**
 * @throws Problem `not_found` (also for a key of another practice), `forbidden` for who is no admin there
 */
export async function read(core: Core, target: KeyOfPractice, { accountId }: Pick<Actor, 'accountId'>) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId: target.practiceId, accountId }, ['admin'])
  const row = await findKey(prisma, target)
  const agreed = agreedOf(row)
  return {
    ...{ id: row.id, name: row.name, prefix: row.prefix, version: row.version },
    organizationName: row.organization?.name ?? 'Sandpiper',
    requestId: row.productionRequestId,
    agreed,
    access: row.narrowedFrom === null ? agreed : toKeyAccess(row),
    /** Null: it has never been narrowed. */
    narrowedFrom: row.narrowedFrom,
    history: await readHistory(prisma, row),
  }
}

/**
 * Holds on the key's next request, for the key and for what it was rotated from or to. Both sides get an email.
 * @throws Problem as `read`, and `forbidden` with the field `stepUp`, `validation` (more than was agreed, the reason),
 * `conflict` (changed meanwhile, ended, or nothing to change)
 */
export async function narrow(
  core: Core,
  input: KeyOfPractice &
    Readonly<{
      version: number
      dataClasses: readonly string[]
      purposes: readonly string[]
      reason: string
    }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  const reason = await checkKeyChange(core, input, actor)
  await withRetry(prisma, async (tx) => {
    const now = clock()
    const row = await lockKey(tx, input, now)
    const agreed = agreedOf(row)
    const access = within(agreed, input)
    const before = row.narrowedFrom === null ? agreed : toKeyAccess(row)
    if (same(before, access) && (row.narrowedFrom === null || row.narrowedFrom <= now))
      throw new Problem('conflict', { message: 'Nothing is different. Change a checkbox first.' })
    const ids = await relatedKeys(tx, row)
    await tx.apiKey.updateMany({
      where: { id: { in: ids } },
      data: {
        dataClasses: [...access.classes],
        purposes: [...access.purposes],
        narrowedFrom: now,
        version: { increment: 1 },
      },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId: row.practiceId,
      ...(row.organizationId ? { organizationId: row.organizationId } : {}),
      action: 'api_key.access_changed',
      subject: { kind: 'api_key', id: row.id },
      detail: { dataClasses: access.classes, purposes: access.purposes, reason },
    })
    await notify(core, tx, { row, access, reason, at: now, correlationId: actor.correlationId })
  })
}

const noticeDays = 7
const atOnce = 50

/**
 * Keys from before classes were enforced keep what their agreement says: both sides are notified, and a week later it
 * holds. A key at a time, so that one that was killed halfway goes on.
 * @returns keys whose sides were notified
 */
export async function announceAgreed(core: Core, now: Date): Promise<number> {
  const { prisma, portalAudit } = core
  const waiting = await prisma.apiKey.findMany({
    where: {
      productionRequestId: { not: null },
      narrowedFrom: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    include: practiceKeyIncludes,
    orderBy: { id: 'asc' },
    take: atOnce,
  })
  const from = new Date(now.getTime() + noticeDays * 86_400_000)
  for (const row of waiting)
    await withRetry(prisma, async (tx) => {
      const access = agreedOf(row)
      const { count } = await tx.apiKey.updateMany({
        where: { id: row.id, narrowedFrom: null, revokedAt: null },
        data: {
          dataClasses: [...access.classes],
          purposes: [...access.purposes],
          narrowedFrom: from,
          version: { increment: 1 },
        },
      })
      if (count === 0) return
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        practiceId: row.practiceId,
        ...(row.organizationId ? { organizationId: row.organizationId } : {}),
        action: 'api_key.access_announced',
        subject: { kind: 'api_key', id: row.id },
        detail: { dataClasses: access.classes, purposes: access.purposes, from: from.toISOString() },
      })
      await notify(core, tx, { row, access, reason: null, at: from, correlationId: null })
    })
  return waiting.length
}

/** What its agreement allows; without one, everything. */
function agreedOf({ productionRequest }: PracticeKey): KeyAccess {
  return productionRequest
    ? toKeyAccess(productionRequest)
    : { classes: dataClassNames, purposes: purposeNames }
}

/** In the order of the contract. @throws Problem `validation` */
function within(agreed: KeyAccess, access: { dataClasses: readonly string[]; purposes: readonly string[] }) {
  const isIn = (names: readonly string[]) => (each: string) => names.includes(each)
  if (!access.dataClasses.every(isIn(agreed.classes)))
    throw new Problem('validation', {
      field: 'dataClasses',
      message: 'Select only data classes that the agreement names.',
    })
  if (!access.purposes.every(isIn(agreed.purposes)))
    throw new Problem('validation', {
      field: 'purposes',
      message: 'Select only purposes that the agreement names.',
    })
  return {
    classes: dataClassNames.filter(isIn(access.dataClasses)) as DataClass[],
    purposes: purposeNames.filter(isIn(access.purposes)) as Purpose[],
  }
}

function same(one: KeyAccess, other: KeyAccess): boolean {
  const text = ({ classes, purposes }: KeyAccess) => [...classes, '', ...purposes].sort().join(' ')
  return text(one) === text(other)
}

async function readHistory(prisma: Core['prisma'], row: PracticeKey) {
  type Said = { dataClasses?: string[]; purposes?: string[] }
  const changes = await readChanges<Said>(prisma, row.id, 'api_key.access_changed')
  return changes.map(({ detail: { dataClasses = [], purposes = [] }, ...change }) => ({
    ...change,
    access: toKeyAccess({ dataClasses, purposes }),
  }))
}

type Change = Readonly<{
  row: PracticeKey
  access: KeyAccess
  /** Null: no one decided, the agreement is enforced. */
  reason: string | null
  at: Date
  correlationId: string | null
}>

/** The practice's admins, and the owners and admins of the organization. */
async function notify(core: Core, tx: Prisma.TransactionClient, change: Change): Promise<void> {
  const { row, access, reason, at, correlationId } = change
  for (const reader of await findReaders(tx, row))
    await core.mail.enqueue(tx, {
      template: 'key-access',
      to: reader.email,
      props: {
        name: reader.name,
        side: reader.side,
        keyName: row.name,
        practiceName: row.practice.name,
        organizationName: row.organization?.name ?? 'Sandpiper',
        dataClasses: access.classes.map((each) => dataClasses[each]),
        purposes: access.purposes.map((each) => each.replaceAll('_', ' ')),
        reason: reason === null ? null : reason.replace(/\s+/gu, ' '),
        at: at.toISOString(),
      },
      ...(correlationId !== null && { correlationId }),
    })
}
