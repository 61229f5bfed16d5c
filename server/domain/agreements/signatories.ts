/** Who signs for a side after the one who was named left: somebody else, in a version that says so. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { type AgreementKind, sidesOf } from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import type { ToldMail } from './agreement-mails.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { AgreementTarget, Signatory } from './agreement-types.ts'
import type { AgreementCase } from './agreement-walk.ts'
import { toVersion } from './offers.ts'
import { renderAgreement } from './render-agreement.ts'
import { findVersion } from './signing.ts'
import { checkSignatory, maySign } from './who-may-sign.ts'

export type NameSignatory = AgreementTarget & Pick<Signatory, 'accountId' | 'legalName' | 'title'>

export function createSignatories({ walk, texts }: AgreementRooms) {
  /**
   * For the actor's own side. The document names its signatories, so it is a new version, and what was signed is void.
   * @throws Problem `conflict` while the one who is named may still sign, or for somebody who may not
   */
  async function nameSignatory(input: NameSignatory, actor: Actor): Promise<void> {
    const { accountId, legalName, title, ...target } = input
    await walk.step(target, 'name_signatory', actor, async (of) => {
      const { tx, row, party, now } = of
      const side = party.side
      if (side !== 'developer' && side !== 'practice') throw new Problem('forbidden')
      const where = { agreementId_side: { agreementId: row.id, side } }
      const named = await tx.agreementSignatory.findUniqueOrThrow({ where })
      if (await maySign(tx, row, named))
        throw new Problem('conflict', { message: `${named.legalName} may still sign for your side.` })
      await checkSignatory(tx, row, { side, accountId, legalName, title })
      await tx.agreementSignatory.update({ where, data: { accountId, legalName, title } })
      const comment = `${legalName} signs in place of ${named.legalName}.`
      const made = await nextVersion(of, comment)
      await tx.agreementVersion.create({ data: { agreementId: row.id, ...made }, select: { number: true } })
      return {
        data: { number: made.number, activeAt: now, reminders: 0 },
        text: comment,
        detail: { side, sha256: made.sha256 },
        change: 'renegotiated',
        mails: sidesOf[row.kind as AgreementKind]
          .filter((each) => each !== 'service')
          .map(
            (each): ToldMail => ({
              template: 'agreement-changed',
              to: 'signer',
              side: each,
              props: { comment, rejected: false },
            }),
          ),
      }
    })
  }

  /** Drawn anew with the new name; a document of a party's own stays as it is, and is signed again. */
  async function nextVersion(of: AgreementCase, comment: string) {
    const { tx, row, party, now } = of
    const number = row.number + 1
    const { agreementId: _, ...present } = await findVersion(of)
    const by = { number, bySide: party.side, byId: party.accountId, comment, createdAt: now }
    if (present.markdown === null)
      return {
        ...present,
        ...by,
        fields: present.fields as Prisma.InputJsonObject,
        clauses: [...present.clauses],
        bytes: Buffer.from(present.bytes),
      }
    const signatories = await tx.agreementSignatory.findMany({ where: { agreementId: row.id } })
    const rendered = await renderAgreement(texts, {
      agreementId: row.id,
      number,
      kind: row.kind as AgreementKind,
      level: row.level,
      dataClasses: row.dataClasses,
      purposes: row.purposes,
      signatories: signatories as readonly Pick<Signatory, 'side' | 'legalName' | 'title'>[],
      fields: present.fields,
      at: now,
    })
    return toVersion(rendered, { number, party, comment, now })
  }

  return { nameSignatory }
}
