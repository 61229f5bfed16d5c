/** What makes the automatic check hand a request to a person. A flag is no refusal. */
import type { Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { type ReviewFlag, speaksOfRealData } from '../../contract/workflows/key-review.ts'

const dayMs = 86_400_000
const requestsADay = 10

export async function findFlags(
  db: Prisma.TransactionClient,
  request: Pick<SandboxKeyRequest, 'organizationId' | 'name' | 'projectDescription'>,
  now: Date,
): Promise<ReviewFlag[]> {
  const { organizationId } = request
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  const [leaked, declined, asked] = await Promise.all([
    db.apiKey.count({ where: { organizationId, leakedAt: { gt: daysAgo(90) } } }),
    db.sandboxKeyRequest.count({
      where: { organizationId, state: 'declined', reviewedAt: { gt: daysAgo(30) } },
    }),
    db.sandboxKeyRequest.count({ where: { organizationId, createdAt: { gt: daysAgo(1) } } }),
  ])
  const flags: (ReviewFlag | false)[] = [
    speaksOfRealData(`${request.name}. ${request.projectDescription}`) && 'real_data',
    leaked > 0 && 'leaked_before',
    declined > 0 && 'declined_before',
    asked > requestsADay && 'many_requests',
  ]
  return flags.filter((flag) => flag !== false)
}
