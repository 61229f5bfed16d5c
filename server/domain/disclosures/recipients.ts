/** Who received what an accounting of disclosures lists: the organization, and its key, app or system. */
import type { DisclosureGroup } from '../../audit/disclosures.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { subjectKey } from '../access-use/figures.ts'
import { nameSubjects, subjectOf } from '../access-use/subjects.ts'
import type { Core } from '../core.ts'

export type Recipient = Readonly<{
  /** The organization, or the person where no organization is known. */
  name: string
  /** The key, app or system; null for a person. */
  through: string | null
}>

/** @returns by `recipientId`; one that was deleted is missing */
export async function findRecipients(
  core: Pick<Core, 'prisma'>,
  groups: readonly DisclosureGroup[],
): Promise<Map<string, Recipient>> {
  const subjects = new Map(
    groups.flatMap(({ principalKind, recipientId, isClient }) => {
      const clientId = isClient ? recipientId : null
      const subject = subjectOf({ principalKind, principalId: recipientId, clientId })
      return subject ? [[recipientId, subject] as const] : []
    }),
  )
  const others = groups.map(({ recipientId }) => recipientId).filter((id) => uuidPattern.test(id))
  const [named, accounts] = await Promise.all([
    nameSubjects(core, [...subjects.values()]),
    core.prisma.account.findMany({ where: { id: { in: others } }, select: { id: true, name: true } }),
  ])
  const readers = [...subjects].flatMap(([recipientId, subject]) => {
    const found = named.get(subjectKey(subject))
    if (!found || found.deleted) return []
    const through = found.prefix ? `${found.name} (key ${found.prefix})` : found.name
    return [[recipientId, { name: found.organizationName, through }] as const]
  })
  return new Map<string, Recipient>([
    ...readers,
    ...accounts.map(({ id, name }) => [id, { name, through: null }] as const),
  ])
}
