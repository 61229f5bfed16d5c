/** Replaces a side's signatory who has left, in a new version that names the next one. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { toClausePlaces } from '../../contract/workflows/agreements.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import type { AgreementTarget, Signatory } from './agreement-types.ts'
import { checkSignatory, maySign } from './signing-authority.ts'
import { type Context, transition } from './transition.ts'
import { drawNext, findVersion, madeBy, type NewVersion, storeVersion } from './versions.ts'

type NameSignatory = AgreementTarget & Pick<Signatory, 'accountId' | 'legalName' | 'title'>

/**
 * For the actor's own side. The document names its signatories, so it is a new version, and what was signed is void.
 * @throws Problem `conflict` while the one who is named may still sign, or for somebody who may not
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

async function findNamed({ tx, row, party: { side } }: Context) {
  if (side !== 'developer' && side !== 'practice') throw new Problem('forbidden')
  const where = { agreementId_side: { agreementId: row.id, side } }
  return { ...(await tx.agreementSignatory.findUniqueOrThrow({ where })), side }
}

/** Rendered again with the new name. A party's own document stays as it is, and is signed again. */
async function drawNamed(core: Core, of: Context, comment: string): Promise<NewVersion> {
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
