/** The access that a practice gives a key. It can narrow it within the agreement. */
import { Problem } from '../../contract/http/problems.ts'
import { type DataClass, dataClasses, dataClassNames } from '../../contract/keys/data-classes.ts'
import { type KeyAccess, toKeyAccess } from '../../contract/keys/key-access.ts'
import { type Purpose, purposeNames } from '../../contract/rest/purposes.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import {
  changeKey,
  findKey,
  type KeyOfPractice,
  type PracticeKey,
  readChanges,
  relatedKeys,
} from './practice-keys.ts'
import { requirePracticeRole } from './practice-role.ts'

/**
 * @throws Problem `not_found` (also for a key of another practice), `forbidden` unless the reader is an admin there
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
    history: await readHistory(prisma, row),
  }
}

/**
 * Changes the access from the next call on, for the key and for the other key of a rotation.
 * @throws Problem as `changeKey`, and `validation` (more than was agreed), `conflict` (nothing to change)
 */
export function narrow(
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
  return changeKey(core, input, actor, async (tx, row, now) => {
    const agreed = agreedOf(row)
    const { classes, purposes } = within(agreed, input)
    const before = row.narrowedFrom === null ? agreed : toKeyAccess(row)
    if (same(before, { classes, purposes }) && (row.narrowedFrom === null || row.narrowedFrom <= now))
      throw new Problem('conflict', { message: 'Nothing is different. Change a checkbox first.' })
    await tx.apiKey.updateMany({
      where: { id: { in: await relatedKeys(tx, row) } },
      data: { dataClasses: classes, purposes, narrowedFrom: now, version: { increment: 1 } },
    })
    return {
      action: 'api_key.access_changed',
      detail: { dataClasses: classes, purposes },
      template: 'key-access',
      props: {
        dataClasses: classes.map((name) => dataClasses[name]),
        purposes: purposes.map((name) => name.replaceAll('_', ' ')),
      },
    }
  })
}

/** The access that the key's agreement allows; everything if there is no agreement. */
function agreedOf({ productionRequest }: PracticeKey): KeyAccess {
  return productionRequest
    ? toKeyAccess(productionRequest)
    : { classes: dataClassNames, purposes: purposeNames }
}

/** The requested access, in the order of the contract. @throws Problem `validation` */
function within(agreed: KeyAccess, access: { dataClasses: readonly string[]; purposes: readonly string[] }) {
  const isIn = (names: readonly string[]) => (name: string) => names.includes(name)
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
  type Detail = { dataClasses?: string[]; purposes?: string[] }
  const changes = await readChanges<Detail>(prisma, row.id, 'api_key.access_changed')
  return changes.map(({ detail: { dataClasses = [], purposes = [] }, ...change }) => ({
    ...change,
    access: toKeyAccess({ dataClasses, purposes }),
  }))
}
