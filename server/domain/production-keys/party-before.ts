/** What the practice said about itself when it confirmed a request before, so that nobody types it twice. */
import type { PrismaClient, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { type LegalParty, legalParty } from '../../contract/workflows/security-questions.ts'

type PartyBefore = LegalParty &
  Readonly<{ signatoryId: string; signatoryName: string; signatoryTitle: string }>

/** @returns null where the practice has confirmed nothing yet */
export async function findPartyBefore(
  prisma: PrismaClient,
  { id, practiceId }: Pick<ProductionKeyRequest, 'id' | 'practiceId'>,
): Promise<PartyBefore | null> {
  if (practiceId === null) return null
  const row = await prisma.productionKeyRequest.findFirst({
    where: { practiceId, id: { not: id }, sponsoredAt: { not: null }, practiceSignatoryId: { not: null } },
    select: {
      practiceParty: true,
      practiceSignatoryId: true,
      practiceSignatoryName: true,
      practiceSignatoryTitle: true,
    },
    orderBy: [{ sponsoredAt: 'desc' }, { id: 'desc' }],
  })
  const party = legalParty.safeParse(row?.practiceParty)
  if (!row?.practiceSignatoryId || !party.success) return null
  return {
    ...party.data,
    signatoryId: row.practiceSignatoryId,
    signatoryName: row.practiceSignatoryName,
    signatoryTitle: row.practiceSignatoryTitle,
  }
}
