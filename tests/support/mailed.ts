/** Mails as the outbox holds them: what was written, and the token in a mail's link. */
import type { OutboxMail } from '../../prisma/generated/client/client.ts'
import { tokenInLink } from '../../server/contract/portal/paths.ts'
import type { Services } from '../../server/services.ts'

type Mailed = Pick<Services, 'prisma' | 'mail'>

/** Names of the mails written to an address, oldest first. */
export async function mailsTo({ prisma }: Mailed, toAddress: string): Promise<string[]> {
  const mails = await prisma.outboxMail.findMany({ where: { toAddress } })
  return (await inOrder(prisma, mails)).map((mail) => mail.template)
}

/** The token in the single-use link of the newest mail to an address. */
export async function tokenMailedTo({ prisma, mail }: Mailed, toAddress: string): Promise<string> {
  const mails = await prisma.outboxMail.findMany({ where: { toAddress, sealedLinks: { not: null } } })
  const newest = (await inOrder(prisma, mails)).at(-1)
  if (!newest) throw new Error('no mail with a link was written to this address')
  const [url = ''] = Object.values(mail.openLinks(newest))
  return tokenInLink(url) ?? ''
}

/** A test's clock may stand still between two mails: then the numbers of their jobs tell which came first. */
async function inOrder(prisma: Mailed['prisma'], mails: OutboxMail[]): Promise<OutboxMail[]> {
  const jobs = await prisma.$queryRaw<{ mail: string; job: bigint }[]>`
    SELECT payload ->> 'id' AS mail, id AS job FROM graphile_worker._private_jobs WHERE payload ->> 'id' IS NOT NULL`
  const numbers = new Map(jobs.map(({ mail, job }) => [mail, Number(job)]))
  const numberOf = ({ id }: OutboxMail) => numbers.get(id) ?? 0
  return mails.sort(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || numberOf(one) - numberOf(other),
  )
}
