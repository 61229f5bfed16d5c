/** Opens the claim of a key: the requester gets a single-use link, and the practice is notified. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { paths } from '../../contract/portal/paths.ts'
import { productionKeyTimes } from '../../contract/workflows/production-key-workflow.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import type { Content, Data } from './transition.ts'

const hourMs = 3_600_000

export function openClaim(
  core: Core,
  tx: Prisma.TransactionClient,
  claim: {
    /** The step's own changes of the row. */
    data: Data
    renewal?: boolean
    /** Whether the link replaces an expired one. */
    again?: boolean
    now: Date
  },
) {
  const { renewal = false, again = false, now } = claim
  const claimExpiresAt = new Date(now.getTime() + productionKeyTimes.claimHours * hourMs)
  return {
    data: { ...claim.data, claimExpiresAt },
    emails: async (row: ProductionKeyRequest) => {
      const token = await linkTokens.issue(core, tx, {
        kind: 'claim_production_key',
        accountId: row.requestedById,
        subjectId: row.id,
        expiresAt: claimExpiresAt,
        now,
      })
      const link: Content<'production-claim'> = {
        expiresAt: claimExpiresAt.toISOString(),
        again,
        links: { claimUrl: paths.claimProductionKey(token) },
      }
      return { 'production-claim': link, 'production-approved': { renewal } }
    },
  }
}
