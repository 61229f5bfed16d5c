/** Mails between a practice and the developers of a backend system (workflows §2). */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Actor } from '../actor.ts'

type Told = Readonly<{
  id: string
  clientId: string
  practiceId: string
  purpose: string
}>

export function createTellParties({ mail, clock }: { mail: Pick<Mail, 'enqueue'>; clock: () => Date }) {
  /** F13, to the admins of the practice that are on file; never to an address that a developer gave. */
  async function tellPractice(
    tx: Prisma.TransactionClient,
    row: Told,
    { correlationId }: Pick<Actor, 'correlationId'>,
  ): Promise<void> {
    const pair = await namesOf(tx, row)
    const admins = await tx.practiceMembership.findMany({
      where: { practiceId: row.practiceId, role: 'admin', account: { disabledAt: null } },
      select: { account: { select: { name: true, email: true } } },
      orderBy: { accountId: 'asc' },
    })
    for (const { account } of admins)
      await mail.enqueue(tx, {
        template: 'system-requested',
        to: account.email,
        props: { ...pair, name: account.name, purpose: row.purpose },
        threadId: row.id,
        correlationId,
      })
  }

  /** F14 and F15, to the owners and admins of the developers' organization. */
  async function tellDevelopers(
    tx: Prisma.TransactionClient,
    row: Told,
    decision: { event: 'grant' | 'decline' | 'revoke'; reason: string | null },
    { correlationId }: Pick<Actor, 'correlationId'>,
  ): Promise<void> {
    const pair = await namesOf(tx, row)
    const members = await tx.membership.findMany({
      where: {
        role: { in: ['owner', 'admin'] },
        account: { disabledAt: null },
        organization: { clients: { some: { id: row.clientId } } },
      },
      select: { account: { select: { name: true, email: true } } },
      orderBy: { accountId: 'asc' },
    })
    const { event, reason } = decision
    for (const { account } of members) {
      const { name, email: to } = account
      const envelope = { to, threadId: row.id, correlationId }
      if (event === 'revoke')
        await mail.enqueue(tx, {
          ...envelope,
          template: 'system-revoked',
          props: { ...pair, name, reason: reason ?? '', at: clock().toISOString() },
        })
      else
        await mail.enqueue(tx, {
          ...envelope,
          template: 'system-decided',
          props: { ...pair, name, granted: event === 'grant', reason },
        })
    }
  }

  return { tellPractice, tellDevelopers }
}

async function namesOf(tx: Prisma.TransactionClient, { id, clientId, practiceId }: Told) {
  const [client, practice] = await Promise.all([
    tx.client.findUniqueOrThrow({
      where: { id: clientId },
      select: { name: true, organization: { select: { name: true } } },
    }),
    tx.practice.findUniqueOrThrow({ where: { id: practiceId }, select: { name: true } }),
  ])
  return {
    appName: client.name,
    organizationName: client.organization?.name ?? 'Sandpiper',
    practiceName: practice.name,
    requestId: id,
  }
}
