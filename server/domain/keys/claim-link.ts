/** Sends the single-use link with which a key is claimed; an older link of the same request stops working. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { KeyDependencies } from './dependencies.ts'

type ClaimLink = {
  request: {
    id: string
    name: string
    level: 'read_only' | 'full'
    requestedById: string
    requestedBy: { email: string; name: string }
    claimExpiresAt: Date
    reissues: number
  }
  practiceName: string
  now: Date
  correlationId?: string
}

export async function sendClaimLink(
  tx: Prisma.TransactionClient,
  { linkTokens, mail }: Pick<KeyDependencies, 'linkTokens' | 'mail'>,
  { request, practiceName, now, correlationId }: ClaimLink,
): Promise<void> {
  const token = await linkTokens.issue(tx, {
    kind: 'claim_key',
    accountId: request.requestedById,
    subjectId: request.id,
    expiresAt: request.claimExpiresAt,
    now,
  })
  await mail.enqueue(tx, {
    template: 'key-claim',
    to: request.requestedBy.email,
    props: {
      name: request.requestedBy.name,
      keyName: request.name,
      level: request.level,
      practiceName,
      expiresAt: request.claimExpiresAt.toISOString(),
      requestId: request.id,
      again: request.reissues > 0,
    },
    links: { claimUrl: paths.claimKey(token) },
    threadId: request.id,
    correlationId,
  })
}
