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

/** Agreements between developers, practices and us: the functions for pages, other domains and jobs. */
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

// Tells anyone who has a file's hash whether the file is one of our executed documents or accountings of disclosures. The
// result contains no names.

/** `unknown`: we did not issue this document, or its bytes were changed. */
type Verification = Readonly<
  | { kind: 'unknown' }
  | { kind: 'accounting'; at: Date; chainNumber: string | null }
  | {
      kind: 'executed'
      inForce: boolean
      executedAt: Date
      effectiveAt: Date
      /** The end of its term, or its earlier end. */
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

/** @param content an executed file, its SHA-256, or the SHA-256 of the signed file inside it */
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

// Replaces a signatory who has left.

type NameSignatory = AgreementTarget & Pick<Signatory, 'accountId' | 'legalName' | 'title'>

/**
 * Names another signatory for the actor's own side. The document contains the signatories' names, so there is a new
 * version, and signatures of the old one are void.
 * @throws Problem `conflict` while the former signatory may still sign, or if the new one may not
 */
export async function nameSignatory(core: Core, input: NameSignatory, actor: Actor): Promise<void> {
  const { accountId, legalName, title } = input
  await transition(core, input, 'name_signatory', actor, {
    guards: {
      signatory_left: async (context) => {
        const named = await findNamed(context)
        if (await maySign(context.tx, context.row, named))
          throw new Problem('conflict', { message: `${named.legalName} may still sign for your side.` })
        await checkSignatory(context.tx, context.row, { side: named.side, accountId, legalName, title })
      },
    },
    effects: async (context) => {
      const { side, legalName: formerName } = await findNamed(context)
      await context.tx.agreementSignatory.update({
        where: { agreementId_side: { agreementId: context.row.id, side } },
        data: { accountId, legalName, title },
      })
      const comment = `${legalName} signs instead of ${formerName}.`
      const next = await drawNamed(core, context, comment)
      await storeVersion(context, next)
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

/** Renders the document again with the new name. An uploaded document stays the same and is signed again. */
async function drawNamed(core: Core, context: StepContext, comment: string): Promise<NewVersion> {
  const { agreementId: _, ...present } = await findVersion(context)
  if (present.markdown !== null) return drawNext(core, context, { fields: present.fields, comment })
  return {
    ...present,
    ...madeBy({ ...context, number: context.row.number + 1, comment }),
    fields: present.fields as Prisma.InputJsonObject,
    clauses: [...present.clauses],
    clausePlaces: toClausePlaces(present.clausePlaces),
    bytes: Buffer.from(present.bytes),
  }
}
