import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { toClausePlaces } from '../../contract/workflows/agreements.ts'
import * as throttle from '../accounts/throttle.ts'
import { networkOf, type Throttled } from '../accounts/throttle.ts'
import type { Actor, Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { findIssued } from '../disclosures/issue-accounting.ts'
import type { AgreementTarget, Signatory } from './agreement-types.ts'
import { checkSignatory, maySign } from './parties.ts'
import { sha256Of } from './render-agreement.ts'
import { type StepContext, transition } from './transition.ts'
import { drawNext, findVersion, madeBy, type NewVersion, storeVersion } from './versions.ts'

/** Agreements: offered, negotiated, signed, in force, ended; and what pages show of them. */
export { tick } from './due.ts'
export { attest, covering, inForce, openReturnTask, terminate } from './endings.ts'
export { edit, reject, resume, withdraw, withdrawOpen } from './negotiation.ts'
export { offer, replace as amend } from './offers.ts'
export {
  findNextToSign,
  findOwnBaa,
  listForOperations,
  listForRequest,
  pageForOrganization,
  pageForPractice,
  read,
  readFile,
} from './read-agreements.ts'
export { sign } from './signing.ts'

// Whether a file is an executed document or an accounting of disclosures of ours, for every holder of its hash. Names of people or parties stay here.

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

/** @param content an executed file, or its SHA-256, or that of the signed file inside it */
export async function verify(
  core: Core,
  content: string | Uint8Array,
  { ip }: Pick<Context, 'ip'>,
): Promise<(Verification & { sha256: string }) | Throttled> {
  const refused = await throttle.take(core, [{ rule: 'verifyDocument', subject: [networkOf(ip)] }])
  if (refused) return refused
  const sha256 = typeof content === 'string' ? content : sha256Of(content)
  return { ...(await find(core, sha256)), sha256 }
}

// Replaces a side's signatory who has left, in a new version that names the next one.

type NameSignatory = AgreementTarget & Pick<Signatory, 'accountId' | 'legalName' | 'title'>

/**
 * For the actor's own side. The document names its signatories, so it is a new version, and what was signed is void.
 * @throws Problem `conflict` while the named signatory may still sign, or when the new one may not
 */
export async function nameSignatory(core: Core, input: NameSignatory, actor: Actor): Promise<void> {
  const { accountId, legalName, title } = input
  await transition(core, input, 'name_signatory', actor, {
    guards: {
      signatory_left: async (of) => {
        const named = await findNamed(of)
        if (await maySign(of.tx, of.row, named))
          throw new Problem('conflict', { message: `${named.legalName} may still sign for your side.` })
        await checkSignatory(of.tx, of.row, { side: named.side, accountId, legalName, title })
      },
    },
    effects: async (of) => {
      const { side, legalName: left } = await findNamed(of)
      await of.tx.agreementSignatory.update({
        where: { agreementId_side: { agreementId: of.row.id, side } },
        data: { accountId, legalName, title },
      })
      const comment = `${legalName} signs instead of ${left}.`
      const next = await drawNamed(core, of, comment)
      await storeVersion(of, next)
      return {
        data: { number: next.number },
        text: comment,
        detail: { side, sha256: next.sha256 },
        emails: () => ({ 'agreement-changed': { comment, rejected: false } }),
      }
    },
  })
}

async function findNamed({ tx, row, party: { side } }: StepContext) {
  if (side !== 'developer' && side !== 'practice') throw new Problem('forbidden')
  const where = { agreementId_side: { agreementId: row.id, side } }
  return { ...(await tx.agreementSignatory.findUniqueOrThrow({ where })), side }
}

/** Rendered again with the new name. A party's own document stays as it is, and is signed again. */
async function drawNamed(core: Core, of: StepContext, comment: string): Promise<NewVersion> {
  const { agreementId: _, ...present } = await findVersion(of)
  if (present.markdown !== null) return drawNext(core, of, { fields: present.fields, comment })
  return {
    ...present,
    ...madeBy({ ...of, number: of.row.number + 1, comment }),
    fields: present.fields as Prisma.InputJsonObject,
    clauses: [...present.clauses],
    clausePlaces: toClausePlaces(present.clausePlaces),
    bytes: Buffer.from(present.bytes),
  }
}
