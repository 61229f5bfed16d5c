/** Who gets emails about the authorization of a backend system, and what every one of them says. */
import type { MailName } from '../../../emails/registry.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { SystemAuthorizationRecipients } from '../../contract/workflows/system-authorization-workflow.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { EmailContent } from '../workflow/engine.ts'

/** Props that are given here. */
export type About = 'name' | 'appName' | 'organizationName' | 'practiceName' | 'requestId'

type Pair = Readonly<{ id: string; clientId: string; practiceId: string }>

/** The emails of one template, to everybody whom the table names. */
export async function writeEmails(
  tx: Prisma.TransactionClient,
  row: Pair,
  { template, recipients, content }: { template: MailName; recipients: string; content: EmailContent },
): Promise<readonly EnqueuedMail[]> {
  const [client, practice] = await Promise.all([
    tx.client.findUniqueOrThrow({
      where: { id: row.clientId },
      select: { name: true, organization: { select: { name: true } } },
    }),
    tx.practice.findUniqueOrThrow({ where: { id: row.practiceId }, select: { name: true } }),
  ])
  const about = {
    appName: client.name,
    organizationName: client.organization?.name ?? 'Sandpiper',
    practiceName: practice.name,
    requestId: row.id,
  }
  const readers = await findReaders(tx, row, recipients as SystemAuthorizationRecipients)
  return readers.map(
    ({ account: { name, email: to } }) =>
      ({ template, to, props: { name, ...about, ...content } }) as EnqueuedMail,
  )
}

function findReaders(
  tx: Prisma.TransactionClient,
  { practiceId, clientId }: Pair,
  recipients: SystemAuthorizationRecipients,
) {
  const select = { account: { select: { name: true, email: true } } } as const
  const orderBy = { accountId: 'asc' } as const
  const account = { disabledAt: null }
  if (recipients === 'practice_admins')
    return tx.practiceMembership.findMany({ where: { practiceId, role: 'admin', account }, select, orderBy })
  const organization = { clients: { some: { id: clientId } } }
  return tx.membership.findMany({
    where: { role: { in: ['owner', 'admin'] }, account, organization },
    select,
    orderBy,
  })
}
