/** Whom mails about a production key go to, and what every one of them says. */
import type { MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { findKeyReaders } from '../keys/owned-key.ts'

export type Reader = Readonly<{ name: string; email: string }>

type About = Pick<
  MailProps<'sponsor-declined'>,
  | 'name'
  | 'side'
  | 'keyName'
  | 'organizationName'
  | 'organizationSlug'
  | 'practiceName'
  | 'level'
  | 'requestId'
>
/** Mails that say all of it. */
type AboutMail = {
  [Name in MailName]: About extends Pick<MailProps<Name>, keyof About & keyof MailProps<Name>>
    ? keyof About extends keyof MailProps<Name>
      ? Name
      : never
    : never
}[MailName]
type Extra<Name extends AboutMail> = Omit<MailProps<Name>, keyof About>

/** Admins of a practice, on file with us. */
export async function findPracticeAdmins(
  tx: Prisma.TransactionClient,
  practiceId: string | null,
): Promise<readonly Reader[]> {
  if (practiceId === null) return []
  const rows = await tx.practiceMembership.findMany({
    where: { practiceId, role: 'admin', account: { disabledAt: null, realm: 'practice' } },
    select: { account: { select: { name: true, email: true } } },
    orderBy: { accountId: 'asc' },
  })
  return rows.map(({ account }) => account)
}

/** Both sides of a request: whoever made it (else the owners), and the practice's admins. */
export async function findCorrespondents(tx: Prisma.TransactionClient, row: ProductionKeyRequest) {
  const [organization, practice, developers, admins] = await Promise.all([
    tx.organization.findUniqueOrThrow({ where: { id: row.organizationId } }),
    row.practiceId ? tx.practice.findUniqueOrThrow({ where: { id: row.practiceId } }) : null,
    findKeyReaders(tx, { organizationId: row.organizationId, createdById: row.requestedById }),
    findPracticeAdmins(tx, row.practiceId),
  ])
  const about = ({ name }: Reader, side: 'developer' | 'practice'): About => ({
    name,
    side,
    keyName: row.name,
    organizationName: organization.name,
    organizationSlug: organization.slug,
    practiceName: practice?.name ?? row.practiceSlug,
    level: row.level,
    requestId: row.id,
  })
  const write = <Name extends AboutMail>(
    readers: readonly Reader[],
    side: 'developer' | 'practice',
    template: Name,
    extra: Extra<Name>,
  ): EnqueuedMail[] =>
    readers.map(
      (reader) =>
        ({
          template,
          to: reader.email,
          props: { ...about(reader, side), ...extra },
        }) as unknown as EnqueuedMail,
    )
  const toDevelopers = <Name extends AboutMail>(template: Name, extra: Extra<Name>) =>
    write(developers, 'developer', template, extra)
  const toPractice = <Name extends AboutMail>(template: Name, extra: Extra<Name>) =>
    write(admins, 'practice', template, extra)
  return {
    about,
    developers,
    admins,
    organization,
    practice,
    toDevelopers,
    toPractice,
    toBoth: <Name extends AboutMail>(template: Name, extra: Extra<Name>) => [
      ...toDevelopers(template, extra),
      ...toPractice(template, extra),
    ],
  }
}
