/** A key may be claimed: the single-use link goes to whoever asked for it, and the practice is told. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { paths } from '../../contract/paths.ts'
import { productionKeyTimes } from '../../contract/production-key-workflow.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { findCorrespondents } from './correspondents.ts'
import type { ProductionDependencies } from './rooms.ts'
import type { StepWork } from './walk.ts'

const hourMs = 3_600_000

/** @param more what the step changes besides */
export function openClaim(
  tx: Prisma.TransactionClient,
  { linkTokens }: Pick<ProductionDependencies, 'linkTokens'>,
  of: {
    data: Prisma.ProductionKeyRequestUncheckedUpdateManyInput
    renewal?: boolean
    /** A new link in place of one that ended: nobody else is told again. */
    again?: boolean
    now: Date
  },
): StepWork {
  const claimExpiresAt = new Date(of.now.getTime() + productionKeyTimes.claimHours * hourMs)
  return {
    data: { ...of.data, claimExpiresAt },
    mails: async (row) => {
      const to = await findCorrespondents(tx, row)
      const claim = await claimMail(tx, linkTokens, {
        row,
        claimExpiresAt,
        again: of.again ?? false,
        now: of.now,
      })
      if (of.again) return claim
      return [...claim, ...to.toBoth('production-approved', { renewal: of.renewal ?? false })]
    },
  }

  async function claimMail(
    db: Prisma.TransactionClient,
    links: ProductionDependencies['linkTokens'],
    claim: { row: ProductionKeyRequest; claimExpiresAt: Date; again: boolean; now: Date },
  ): Promise<EnqueuedMail[]> {
    const { row, now } = claim
    const requester = await db.account.findUniqueOrThrow({ where: { id: row.requestedById } })
    const token = await links.issue(db, {
      kind: 'claim_production_key',
      accountId: requester.id,
      subjectId: row.id,
      expiresAt: claim.claimExpiresAt,
      now,
    })
    const { about } = await findCorrespondents(db, row)
    return [
      {
        template: 'production-claim',
        to: requester.email,
        props: {
          ...about(requester, 'developer'),
          expiresAt: claim.claimExpiresAt.toISOString(),
          again: claim.again,
        },
        links: { claimUrl: paths.claimProductionKey(token) },
      } as EnqueuedMail,
    ]
  }
}
