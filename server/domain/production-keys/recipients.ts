/** Who gets emails about a production key, and what every one of them says. */
import type { MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import type { ProductionKeyRecipients } from '../../contract/workflows/production-key-workflow.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { findMakerOrOwners } from '../organizations/maker-or-owners.ts'
import { findStaff } from '../review-clocks/escalation.ts'
import type { EmailContent } from '../workflow/engine.ts'

type Reader = Readonly<{ name: string; email: string }>

export type About = Pick<
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

/** The emails of one template, to everybody whom the table names. */
export async function writeEmails(
  tx: Prisma.TransactionClient,
  row: ProductionKeyRequest,
  { template, recipients, content }: { template: MailName; recipients: string; content: EmailContent },
): Promise<readonly EnqueuedMail[]> {
  const { links, ...extra } = content
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: row.organizationId } })
  const practice = row.practiceId
    ? await tx.practice.findUniqueOrThrow({ where: { id: row.practiceId } })
    : null
  const about = {
    keyName: row.name,
    organizationName: organization.name,
    practiceName: practice?.name ?? row.practiceSlug,
    requestId: row.id,
  }
  const { slug: organizationSlug } = organization
  const { level } = row
  const write = (reader: Reader, more: object) =>
    ({
      template,
      to: reader.email,
      props: { name: reader.name, ...about, ...more, ...extra },
      ...(links ? { links } : {}),
    }) as unknown as EnqueuedMail
  if (recipients === 'ops') return (await findStaff(tx, 'ops')).map((reader) => write(reader, {}))
  const [developers, admins] = await findSides(tx, row, recipients as ProductionKeyRecipients)
  return [
    ...developers.map((reader) => write(reader, { side: 'developer', organizationSlug, level })),
    ...admins.map((reader) => write(reader, { side: 'practice', organizationSlug, level })),
  ]
}

/** Developers: whoever made the request, else the owners. */
async function findSides(
  tx: Prisma.TransactionClient,
  row: ProductionKeyRequest,
  recipients: ProductionKeyRecipients,
): Promise<readonly [readonly Reader[], readonly Reader[]]> {
  const { organizationId, requestedById, practiceId, submittedAt } = row
  if (recipients === 'requester')
    return [[await tx.account.findUniqueOrThrow({ where: { id: requestedById } })], []]
  const developers = () => findMakerOrOwners(tx, { organizationId, createdById: requestedById })
  const admins = () => findPracticeAdmins(tx, practiceId)
  if (recipients === 'developers') return [await developers(), []]
  if (recipients === 'practice') return [[], await admins()]
  return [await developers(), recipients === 'involved' && submittedAt === null ? [] : await admins()]
}
