/** Whether a file is an accounting of disclosures that was handed out here. */
import type { Core } from '../core.ts'

export const issuedAction = 'disclosures.accounted'
export const issuedKind = 'accounting_of_disclosures'

/** When a file with this hash was handed out, and what the chain says of it. Null: not by this installation. */
export async function findIssued(
  { prisma }: Pick<Core, 'prisma'>,
  sha256: string,
): Promise<{ at: Date; chainNumber: string | null } | null> {
  const found = await prisma.auditEvent.findFirst({
    where: { subjectKind: issuedKind, subjectId: sha256, action: issuedAction },
    select: { at: true, chainNumber: true },
    orderBy: { id: 'asc' },
  })
  return found && { at: found.at, chainNumber: found.chainNumber?.toString() ?? null }
}
