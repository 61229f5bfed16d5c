/** Whether a file is an executed document or an accounting of disclosures of ours, for anybody who has its hash. Names of people or parties stay here. */
import * as throttle from '../accounts/throttle.ts'
import { networkOf, type Throttled } from '../accounts/throttle.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { findIssued } from '../disclosures/find-issued.ts'
import { sha256Of } from './render-agreement.ts'

/** `unknown`: no such document was made here, or a byte of it was changed. */
type Verification = Readonly<
  | { kind: 'unknown' }
  | { kind: 'accounting'; at: Date; chainNumber: string | null }
  | {
      kind: 'executed'
      inForce: boolean
      executedAt: Date
      effectiveAt: Date
      /** The end of its term, or when it ended before. */
      endsAt: Date
    }
>

async function find(core: Core, sha256: string): Promise<Verification> {
  const { prisma, clock } = core
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
  if (!found || !term?.effectiveAt || !term.endsAt) {
    const issued = await findIssued(core, sha256)
    return issued ? { kind: 'accounting', ...issued } : { kind: 'unknown' }
  }
  const now = clock()
  return {
    kind: 'executed',
    inForce:
      (term.state === 'executed' || term.state === 'amended') && term.effectiveAt <= now && term.endsAt > now,
    executedAt: found.executedAt,
    effectiveAt: term.effectiveAt,
    endsAt: term.endsAt,
  }
}

/** @param given an executed file, or its SHA-256, or that of the signed file inside it */
export async function verify(
  core: Core,
  given: string | Uint8Array,
  { ip }: Pick<Context, 'ip'>,
): Promise<(Verification & { sha256: string }) | Throttled> {
  const refused = await throttle.take(core, [{ rule: 'verifyDocument', subject: [networkOf(ip)] }])
  if (refused) return refused
  const sha256 = typeof given === 'string' ? given : sha256Of(given)
  return { ...(await find(core, sha256)), sha256 }
}
