/** Who received what an accounting of disclosures lists: the organization, and its key, app or system. */
import type { DisclosureGroup } from '../../audit/disclosures.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Core } from '../core.ts'

export type Recipient = Readonly<{
  /** The organization, or the person where no organization is known. */
  name: string
  /** The key, app or system; null for a person. */
  through: string | null
}>

/** @returns by `recipientId`; one that was deleted is missing */
export async function findRecipients(
  { prisma }: Pick<Core, 'prisma'>,
  groups: readonly DisclosureGroup[],
): Promise<Map<string, Recipient>> {
  const idsOf = (wanted: (group: DisclosureGroup) => boolean) => [
    ...new Set(groups.filter(wanted).map(({ recipientId }) => recipientId)),
  ]
  const others = idsOf(({ isClient }) => !isClient).filter((id) => uuidPattern.test(id))
  const organization = { select: { name: true } } as const
  const [clients, keys, accounts] = await Promise.all([
    prisma.client.findMany({
      where: { id: { in: idsOf(({ isClient }) => isClient) } },
      select: { id: true, name: true, organization },
    }),
    prisma.apiKey.findMany({
      where: { id: { in: others } },
      select: { id: true, name: true, prefix: true, organization },
    }),
    prisma.account.findMany({ where: { id: { in: others } }, select: { id: true, name: true } }),
  ])
  return new Map<string, Recipient>([
    ...clients.map(
      ({ id, name, organization: owner }) => [id, { name: owner?.name ?? name, through: name }] as const,
    ),
    ...keys.map(
      ({ id, name, prefix, organization: owner }) =>
        [id, { name: owner?.name ?? name, through: `${name} (key ${prefix})` }] as const,
    ),
    ...accounts.map(({ id, name }) => [id, { name, through: null }] as const),
  ])
}
