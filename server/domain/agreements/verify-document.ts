/** Whether a file is one of our executed documents, for anybody who has its hash. Names of people or parties stay here. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'

/** `unknown`: no such document was executed here, or a byte of it was changed. */
export type Verification = Readonly<
  | { kind: 'unknown' }
  | {
      kind: 'executed'
      inForce: boolean
      executedAt: Date
      effectiveAt: Date
      /** The end of its term, or when it ended before. */
      endsAt: Date
    }
>

export function createVerifyDocument({ prisma, clock }: { prisma: PrismaClient; clock: () => Date }) {
  /** @param sha256 of the executed file, or of the signed file inside it */
  return async function verify(sha256: string): Promise<Verification> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return { kind: 'unknown' }
    const found = await prisma.agreementExecuted.findFirst({
      where: { OR: [{ sha256 }, { documentSha256: sha256 }] },
      select: {
        executedAt: true,
        agreement: { select: { state: true, effectiveAt: true, endsAt: true } },
      },
      orderBy: { executedAt: 'desc' },
    })
    const term = found?.agreement
    if (!found || !term?.effectiveAt || !term.endsAt) return { kind: 'unknown' }
    const now = clock()
    return {
      kind: 'executed',
      inForce:
        (term.state === 'executed' || term.state === 'amended') &&
        term.effectiveAt <= now &&
        term.endsAt > now,
      executedAt: found.executedAt,
      effectiveAt: term.effectiveAt,
      endsAt: term.endsAt,
    }
  }
}
